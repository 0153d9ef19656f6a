import { activityTexts } from './activity.ts'
import { auditTexts } from './audit.ts'
import { bookTexts } from './books.ts'
import { dataTexts } from './data.ts'
import { eventTexts } from './events.ts'
import { formTexts } from './forms.ts'
import { openApiTexts } from './open-api.ts'
import { peopleTexts } from './people.ts'
import { reportTexts } from './reports.ts'
import { customerTexts } from './screens/customers.ts'
import { kitchenTexts } from './screens/kitchen.ts'
import { shiftTexts } from './screens/shift.ts'
import { stockTexts } from './screens/stock.ts'
import { tillTexts } from './screens/till.ts'

/** Every sentence of the pages. Another language is another folder of this shape. */
export const en = {
  product: 'Comptoir',
  backOffice: 'Back office',
  skip: 'Skip to the content',
  menu: 'Menu',
  close: 'Close',
  cancel: 'Cancel',
  done: 'Done',
  waiting: 'Loading',
  notSent: (count: number) => `Not sent: ${count}`,
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  never: 'Never',
  justNow: 'just now',
  test: 'Test',
  live: 'Live',

  nav: {
    label: 'Pages',
    till: 'Till',
    kitchen: 'Kitchen',
    shift: 'Shift',
    stock: 'Stock',
    customers: 'Customers',
    openApi: 'Open API',
    activity: 'Activity',
    reports: 'Reports',
    data: 'Data',
    books: 'Books',
    events: 'Events',
    webhooks: 'Webhooks',
    audit: 'Audit',
    brands: 'Brands',
    integrators: 'Integrators',
    credentials: 'Rotation',
    sharedBrands: 'Shared brands',
    health: 'Health',
    signIns: 'Sign-ins',
  },

  ...peopleTexts,
  ...openApiTexts,
  ...auditTexts,
  ...activityTexts,
  ...dataTexts,
  ...reportTexts,
  ...bookTexts,
  ...eventTexts,
  ...formTexts,
  ...tillTexts,
  ...kitchenTexts,
  ...shiftTexts,
  ...stockTexts,
  ...customerTexts,

  noPermission: {
    title: 'No access',
    lead: (role: string) =>
      `Your role, ${role}, does not include managing add-ons, which the Open API module, the activity and the audit log need. Ask the owner of your brand.`,
  },

  errors: {
    title: 'This did not work',
    page: 'Something unexpected happened on this page. Load it again.',
    notFound: 'There is no such page',
    notFoundLead: 'The address may be old or mistyped.',
    home: 'Go to the start page',
    bySlug: {
      offline: 'The service cannot be reached. Check the connection and try again.',
      idempotency_mismatch:
        'Your first request was carried out, but its answer was lost. Nothing more was done now. Close this and check.',
      sign_in_refused: 'Wrong restaurant, username, password or code.',
      unavailable: 'The service is busy. Try again in a moment.',
      validation_failed: 'Something is missing or has the wrong form.',
    } as Record<string, string>,
    away: 'No connection. What is shown may be old, and nothing can be booked until the server is back.',
    requestId: (id: string) => `Request ${id}`,
  },
}
