import type { ShownCredential } from '../../../../server/src/back-office/schema.ts'
import { texts } from '../../texts/texts.ts'
import { type Column, Named } from '../data/rows.tsx'
import { When } from '../when.tsx'

/** The columns of a credential that both a brand and the operator see. */
export const credentialColumns = {
  name: {
    name: texts.openApi.columns.name,
    cell: ({ name, client_id }) => <Named name={name} id={client_id} />,
  },
  user: {
    name: texts.openApi.columns.user,
    cell: ({ user }) => (
      <>
        <div>{user.name}</div>
        <div className="sub">{user.active ? user.role : `${user.role}, ${texts.openApi.inactiveUser}`}</div>
      </>
    ),
  },
  venue: { name: texts.openApi.columns.venue, cell: ({ venue }) => venue.name },
  created: { name: texts.openApi.columns.created, cell: ({ created_at }) => <When at={created_at} date /> },
  used: { name: texts.openApi.columns.used, cell: ({ used_at }) => <When at={used_at} /> },
} satisfies Record<string, Column<ShownCredential>>
