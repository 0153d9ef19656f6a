// How restaurants are opened in the browser.
export const up = `
-- One-time links to setup.
create table setup_links (
  hash       text   not null primary key, -- of the link's secret
  brand_id   bigint,                      -- null: it makes the first brand of the service
  created_at text   not null,
  expires_at text   not null,
  used_at    text
);
`
