/** What guests read on paper, in the language of the venue. */
export const paperTexts = {
  servedBy: (name: string) => `Served by ${name}`,
  guestsCount: (count: number) => (count === 1 ? '1 guest' : `${count} guests`),
  gift: 'Gift',
  discount: 'Discount',
  service: 'Service',
  fee: 'Delivery',
  tax: 'Tax',
  total: 'Total',
  remaining: 'Remaining',
  taxOf: (name: string, rate: string) => (name.includes('%') ? name : `${name} ${rate} %`),
  taxBase: 'Net',
  taxAmount: 'Tax',
  taxNumber: (number: string) => `Tax number ${number}`,
  thanks: 'Thank you',
}
