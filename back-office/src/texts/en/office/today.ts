/** What goes on in the restaurant now. */
export const todayTexts = {
  title: 'Today',
  lead: (day: string, time: string) => `${day}, up to ${time}`,
  everyVenue: 'All venues',
  venue: 'Venue',

  sold: 'Sold so far',
  receipts: 'Receipts',
  /** `change` is a signed percentage. */
  against: (change: string, weekday: string, amount: string) => `${change} against ${weekday} up to now: ${amount}`,
  nothingBefore: (weekday: string) => `Nothing ${weekday} up to now`,
  lastWeek: (weekday: string) => `last ${weekday}`,
  receiptsBefore: (count: string, weekday: string) => `${count} ${weekday} up to now`,

  open: 'Open receipts',
  openSum: (sum: string) => `${sum} to be paid`,
  oldest: (age: string) => `oldest: ${age}`,
  oldestOrder: (age: string) => `oldest: ${age}`,
  noneOpen: 'Everything is paid',
  orders: 'Orders waiting',
  noOrders: 'Every order is answered',
  kitchen: 'Kitchen',
  kitchenWaiting: (count: string) => (count === '1' ? '1 ticket waiting' : `${count} tickets waiting`),
  late: (count: string) => `${count} late`,
  onTime: 'None is late',
  shifts: 'Shifts open',
  noShifts: 'No drawer is open',
  shift: (terminal: string, person: string, since: string) => `${terminal}: ${person}, ${since}`,
  someone: 'somebody',

  hours: 'By hour',
  hoursOf: (weekday: string) => `By hour, beside ${weekday}`,
  today: 'Today',
  noSales: 'Nothing is sold yet today.',

  running: 'Sold out and running low',
  soldOut: (count: string) => `Sold out: ${count}`,
  fewLeft: (count: string) => `Few left: ${count}`,
  low: (count: string) => `Low in stock: ${count}`,
  nothingShort: 'Nothing is sold out, and nothing runs low.',
  left: (amount: string, unit: string) => (unit === '' ? `${amount} left` : `${amount} ${unit} left`),
  gone: 'sold out',

  opened: 'Your restaurant is open',
  openedLead: 'Keep this: you sign in with it, and the password that you chose.',
  openedRestaurant: 'Restaurant',
  openedUser: 'Username',
  openedClose: 'Noted',

  checklist: {
    title: 'Before guests come',
    lead: (done: number, all: number) => `${done} of ${all} done`,
    done: 'done',
    dismiss: 'Ask no more',
    items: {
      product: 'Add the first product',
      taxes: 'Give every product its tax',
      hours: 'Set the opening hours',
      staff: 'Add somebody who works here',
      pins: 'Set a PIN for those who share a till',
      printer: 'Connect a printer',
      sale: 'Try a sale, and cancel it before it is paid',
    },
  },

  attention: 'Needs attention',
  notices: {
    printers: ({ count, printer, waiting }) =>
      `${count === '1' ? `${printer} does not print` : `${count} printers do not print`}: ${
        waiting === '1' ? 'one paper waits' : `${waiting} papers wait`
      }.`,
    books: ({ count, at }) =>
      `The books do not agree: ${count === '1' ? '1 problem' : `${count} problems`}, found ${at}.`,
    webhooks: ({ count }) =>
      count === '1' ? 'One address gets no webhooks: it fails.' : `${count} addresses get no webhooks: they fail.`,
    backup: ({ at }) =>
      at
        ? `The last backup is of ${at}. Ask the operator of the service for a newer one.`
        : 'There is no backup yet. Ask the operator of the service for one.',
    backup_failed: ({ at, reason }) =>
      ({
        full: `No backup could be made on ${at}: its disk has no room. Tell the operator of the service.`,
        folder: `No backup could be made on ${at}: its folder is gone. Is its disk there?`,
      })[reason!] ?? `No backup could be made on ${at}. Tell the operator of the service.`,
    certificate: ({ at }) =>
      `The certificate of this service ends ${at}. Devices will then refuse to connect: ask the operator of the service.`,
  } as Record<string, (about: Record<string, string>) => string>,
  otherNotice: (kind: string) => `Something needs attention: ${kind}.`,
}
