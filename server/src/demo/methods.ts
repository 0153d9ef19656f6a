// How the house sells and is paid: receipts and the lists of both name the same.

export const DINE_IN = { id: 1, stay: [40, 120] } as const
export const TAKE_AWAY = { id: 2, stay: [4, 15] } as const
export const DELIVERY = { id: 3, stay: [25, 60] } as const

/** A hall and a terrace in each venue. */
export const HALLS: Record<string, number> = { Salle: 6, Terrasse: 4 }
export const TABLES_PER_VENUE = Object.values(HALLS).reduce((sum, count) => sum + count, 0)

export const CASH = { id: 1, name: 'Espèces' }
export const CARD = { id: 2, name: 'Carte bancaire' }
export const VOUCHER = { id: 3, name: 'Titre-restaurant' }
export const ONLINE = { id: 4, name: 'Paiement en ligne' }
export const CUSTOMER_BALANCE = { id: 5, name: 'Compte client' }
export const CASHBACK_BALANCE = { id: 6, name: 'Cagnotte' }
