/** What people call the things of a restaurant, by the resource that they are. */
export const thingTexts: Record<string, { many: string; create: string; lead: string }> = {
  brand: {
    many: 'Brand',
    create: 'New brand',
    lead: 'Name, currency, languages of the menu, cashback, and what every venue has in common.',
  },
  venues: {
    many: 'Venues',
    create: 'New venue',
    lead: 'Each place with its address, opening hours, what stands on the bill, orders and cash.',
  },
  halls: { many: 'Halls', create: 'New hall', lead: 'The rooms and terraces in which tables are.' },
  courses: {
    many: 'Courses',
    create: 'New course',
    lead: 'What tables are served after each other. A category of the menu says which it is.',
  },
  tables: { many: 'Tables', create: 'New table', lead: 'Where guests sit, by hall.' },
  terminals: { many: 'Tills', create: 'New till', lead: 'The tills of a venue: each has a drawer and its own shifts.' },
  printers: {
    many: 'Printers',
    create: 'New printer',
    lead: 'Where papers come out: printers of your network, and pages that show what would be printed.',
  },
  'print-routes': {
    many: 'What prints where',
    create: 'New rule',
    lead: 'Which printer prints the tickets of a station, bills and reports.',
  },
  stations: {
    many: 'Stations',
    create: 'New station',
    lead: 'Where dishes and drinks are prepared, such as the kitchen and the bar.',
  },
  'sale-types': {
    many: 'Sale types',
    create: 'New sale type',
    lead: 'How you sell: in the house, takeaway, delivery, each with its service charge.',
  },
  'payment-methods': {
    many: 'Payment methods',
    create: 'New payment method',
    lead: 'What guests pay with, and where that money goes.',
  },
  taxes: { many: 'Taxes', create: 'New tax', lead: 'Rates, and whether prices include them.' },
  'price-lists': {
    many: 'Price lists',
    create: 'New price list',
    lead: 'Other prices for some venues, times or ways to sell.',
  },
  reasons: {
    many: 'Reasons',
    create: 'New reason',
    lead: 'Why something is taken back, given away or opened: what staff choose from.',
  },
  'note-presets': {
    many: 'Notes for the kitchen',
    create: 'New note',
    lead: 'What waiters tap instead of typing it, such as “no onions” or a nut allergy.',
  },
  'customer-groups': {
    many: 'Customer groups',
    create: 'New group',
    lead: 'Guests with a discount in common, such as regulars or staff.',
  },
  storages: {
    many: 'Storages',
    create: 'New storage',
    lead: 'Where a venue keeps its stock. Sales take from the main one.',
  },
  suppliers: { many: 'Suppliers', create: 'New supplier', lead: 'From whom you buy.' },
  units: { many: 'Units', create: 'New unit', lead: 'What ingredients are counted in: pieces, kilograms, litres.' },
  'finance-categories': {
    many: 'Income and expenses',
    create: 'New category',
    lead: 'What money comes in and goes out for, beside sales.',
  },
  users: { many: 'People', create: 'New person', lead: 'Who works here, in which role and venues.' },
  roles: { many: 'Roles', create: 'New role', lead: 'What somebody may do.' },
  categories: { many: 'Categories', create: 'New category', lead: 'The order of the menu.' },
  products: { many: 'Products', create: 'New product', lead: 'What you sell and what it is made of.' },
}

export const settingTexts = {
  title: 'Settings',
  lead: 'How your restaurant works: its places, how it sells, and what stands on paper.',
  groups: { place: 'The restaurant', selling: 'Selling', stock: 'Guests, stock and money', more: 'More' } as Record<
    string,
    string
  >,
  back: 'Settings',
  search: 'Search',
  searchIn: (many: string) => `Search in ${many}`,
  several: 'Several at once',
  none: 'Nothing matches',
  noneLead: 'No name has this in it.',
  empty: (many: string) => `${many}: nothing yet`,
  noRead: 'Your role does not allow to see this list. Ask the person who manages staff.',
  venue: 'Venue',
  offIn: (venues: string) => `not in ${venues}`,
  series: {
    title: 'Several at once',
    lead: 'They are called alike and numbered. What is there already is left out.',
    name: 'Name before the number',
    from: 'From',
    to: 'To',
    submit: 'Make them',
    preview: (first: string, last: string) => `${first} to ${last}`,
    done: (made: string, skipped: number) =>
      skipped === 0 ? `${made} made.` : `${made} made; ${skipped} were there already.`,
  },
}
