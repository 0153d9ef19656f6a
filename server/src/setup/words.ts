import type { RoleName } from './roles.ts'
import type { Channel, MenuLanguage } from './schema.ts'

// The names that setup gives. They are the restaurant's from then on, and can be changed there.

interface Words {
  readonly roles: Readonly<Record<RoleName, string>>
  readonly saleTypes: Readonly<Record<Channel, string>>
  readonly methods: { readonly cash: string; readonly card: string; readonly online: string }
  readonly stations: { readonly kitchen: string; readonly bar: string }
  readonly units: readonly (readonly [name: string, symbol: string])[]
  readonly terminal: string
  readonly storage: string
  readonly hall: string
  /** In the order in which they are served. */
  readonly courses: readonly string[]
}

export const WORDS: Readonly<Record<MenuLanguage, Words>> = {
  en: {
    roles: {
      owner: 'Owner',
      manager: 'Manager',
      cashier: 'Cashier',
      waiter: 'Waiter',
      cook: 'Cook',
      accountant: 'Accountant',
    },
    saleTypes: { IN: 'Eat in', TAKEAWAY: 'Takeaway', DELIVERY: 'Delivery' },
    methods: { cash: 'Cash', card: 'Card', online: 'Paid online' },
    stations: { kitchen: 'Kitchen', bar: 'Bar' },
    units: [
      ['Piece', 'pc'],
      ['Kilogram', 'kg'],
      ['Litre', 'l'],
    ],
    terminal: 'Till 1',
    storage: 'Main storage',
    hall: 'Dining room',
    courses: ['Starters', 'Mains', 'Desserts'],
  },
  fr: {
    roles: {
      owner: 'Propriétaire',
      manager: 'Responsable',
      cashier: 'Caissier',
      waiter: 'Serveur',
      cook: 'Cuisinier',
      accountant: 'Comptable',
    },
    saleTypes: { IN: 'Sur place', TAKEAWAY: 'À emporter', DELIVERY: 'Livraison' },
    methods: { cash: 'Espèces', card: 'Carte bancaire', online: 'Payé en ligne' },
    stations: { kitchen: 'Cuisine', bar: 'Bar' },
    units: [
      ['Pièce', 'pce'],
      ['Kilogramme', 'kg'],
      ['Litre', 'l'],
    ],
    terminal: 'Caisse 1',
    storage: 'Réserve',
    hall: 'Salle',
    courses: ['Entrées', 'Plats', 'Desserts'],
  },
}
