// What `comptoir audit books` found when it last checked a brand.
export const up = `
create table book_audits (
  brand_id bigint not null references brands,
  at       text   not null, -- when it began
  ms       bigint not null,
  version  text   not null, -- of Comptoir
  receipts bigint not null,
  checked  text   not null, -- JSON: the invariants
  findings text   not null, -- JSON, so many of each invariant at the most
  primary key (brand_id)
);
`
