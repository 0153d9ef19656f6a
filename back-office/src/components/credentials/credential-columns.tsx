import type { ShownCredential } from '../../../../server/src/back-office/schema.ts'
import { openApiTexts } from '../../texts/integrations/open-api.ts'
import { type Column, Named } from '../data/rows.tsx'
import { When } from '../when.tsx'

/** The columns of a credential that both a brand and the operator see. */
export const credentialColumns = {
  name: {
    name: openApiTexts.columns.name,
    cell: ({ name, client_id }) => <Named name={name} id={client_id} />,
  },
  user: {
    name: openApiTexts.columns.user,
    cell: ({ user }) => (
      <>
        <div>{user.name}</div>
        <div className="sub">{user.active ? user.role : `${user.role}, ${openApiTexts.inactiveUser}`}</div>
      </>
    ),
  },
  venue: { name: openApiTexts.columns.venue, cell: ({ venue }) => venue.name },
  created: { name: openApiTexts.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  used: { name: openApiTexts.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
} satisfies Record<string, Column<ShownCredential>>
