/** The floor: tables by hall, and what happens at each. */
export const floorTexts = {
  title: 'Floor',
  lead: 'Every table, what happens at it, and how long nothing did.',
  empty: 'This venue has no tables yet. Settings, Tables makes them.',
  otherTables: 'Other tables',
  states: { free: 'free', seated: 'seated', ordered: 'ordered', ready: 'ready', bill: 'bill' },
  seats: (count: number) => (count === 1 ? '1 seat' : `${count} seats`),
  guests: (count: number) => (count === 0 ? '' : count === 1 ? '1 guest' : `${count} guests`),
  minutes: (count: number) => (count < 60 ? `${count} min` : `${Math.floor(count / 60)} h ${count % 60}`),
  receipts: (count: number) => `${count} receipts`,
  idle: {
    calm: (_shown: string) => '',
    amber: (shown: string) => `quiet for ${shown}`,
    red: (shown: string) => `waiting: ${shown}`,
  },
  calls: 'calls for a waiter',
  wantsToPay: 'wants to pay',
  served: 'Served',
  servedOf: (table: string) => `${table}: what is ready was served`,
  chooseTitle: (table: string) => `${table}: which receipt?`,
  another: 'Another receipt',
}
