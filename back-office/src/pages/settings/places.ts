/** Where the settings stand. A form that is not named here stands under the last. */
export const PLACES: Readonly<Record<string, readonly string[]>> = {
  place: ['brand', 'venues', 'halls', 'tables', 'terminals', 'stations', 'courses', 'printers', 'print-routes'],
  selling: ['sale-types', 'payment-methods', 'taxes', 'reasons', 'note-presets'],
  stock: ['customer-groups', 'storages', 'suppliers', 'units', 'finance-categories'],
}

/** Forms of other pages: the menu and the staff. */
const ELSEWHERE: readonly string[] = ['products', 'categories', 'price-lists', 'users', 'roles']

export const isSetting = (resource: string) => !ELSEWHERE.includes(resource)
