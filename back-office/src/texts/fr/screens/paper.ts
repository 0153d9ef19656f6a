import type { paperTexts as english } from '../../en/screens/paper.ts'

/** Ce que les clients lisent sur papier, dans la langue de l’établissement. */
export const paperTexts: typeof english = {
  servedBy: (name) => `Servi par ${name}`,
  guestsCount: (count) => (count === 1 ? '1 couvert' : `${count} couverts`),
  gift: 'Offert',
  discount: 'Remise',
  service: 'Service',
  fee: 'Livraison',
  tax: 'Taxe',
  total: 'Total',
  remaining: 'Reste à payer',
  taxOf: (name, rate) => (name.includes('%') ? name : `${name} ${rate} %`),
  taxBase: 'HT',
  taxAmount: 'Taxe',
  taxNumber: (number) => `N° de TVA ${number}`,
  thanks: 'Merci de votre visite',
}
