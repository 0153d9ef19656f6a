import { peopleTexts } from './people.ts'

/** Every sentence of the pages. Another language is another folder of this shape. */
export const texts = {
  /** How dates and numbers are written. */
  locale: 'en-GB',
  direction: 'ltr' as 'ltr' | 'rtl',

  product: 'Comptoir',
  backOffice: 'Back office',
  skip: 'Skip to the content',
  menu: 'Menu',
  close: 'Close',
  cancel: 'Cancel',
  done: 'Done',
  waiting: 'Loading',
  notSent: (count: number) => `Not sent: ${count}`,
  unsentLead: 'It is kept on this device and sent as soon as the server answers.',
  newVersion: 'A new version is ready',
  newVersionLead: 'It is taken when you go to another page.',
  useNewVersion: 'Use it now',
  copy: 'Copy',
  copied: 'Copied',
  tryAgain: 'Try again',
  never: 'Never',
  justNow: 'just now',
  test: 'Test',
  language: 'Language',
  /** Said where the clock of the browser shows another time than the venue's. */
  timesIn: (zone: string) => `Times in ${zone}`,
  live: 'Live',

  nav: {
    label: 'Pages',
    byPin: 'You are here by PIN. For the other pages, sign in with your password.',
    today: 'Today',
    floor: 'Floor',
    till: 'Till',
    kitchen: 'Kitchen',
    shift: 'Shift',
    printers: 'Printers',
    menu: 'Menu',
    stopList: 'Stop list',
    stock: 'Stock',
    customers: 'Customers',
    openApi: 'Open API',
    activity: 'Activity',
    staff: 'Staff',
    reports: 'Reports',
    apiData: 'API data',
    settings: 'Settings',
    books: 'Books',
    events: 'Events',
    webhooks: 'Webhooks',
    audit: 'Audit',
    brands: 'Brands',
    integrators: 'Integrators',
    credentials: 'Rotation',
    sharedBrands: 'Shared brands',
    health: 'Health',
    backups: 'Backups',
    signIns: 'Sign-ins',
    /** Headings, each over pages of one job. */
    groups: {
      today: 'Today',
      service: 'Service',
      menu: 'Menu and stock',
      customers: 'Customers',
      staff: 'Staff',
      money: 'Money',
      settings: 'Settings',
      integrations: 'Integrations',
      audit: 'Audit',
    },
  },

  ...peopleTexts,

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
      unavailable: 'The service is busy. Try again in a moment.',
    } as Record<string, string>,
    refused: 'This was refused.',
    /** Behind it stands what the API said, in English. */
    details: 'Details',
    away: 'No connection. What is shown may be old, and nothing can be booked until the server is back.',
    requestId: (id: string) => `Request ${id}`,
  },
}
