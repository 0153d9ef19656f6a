import type { floorTexts as english } from '../../en/screens/floor.ts'

/** La salle : les tables, et ce qui s’y passe. */
export const floorTexts: typeof english = {
  title: 'Salle',
  lead: 'Chaque table, ce qui s’y passe, et depuis quand rien n’a changé.',
  empty: 'Cet établissement n’a pas encore de tables. Elles se créent dans Réglages, Tables.',
  otherTables: 'Autres tables',
  states: { free: 'libre', seated: 'installés', ordered: 'commandé', ready: 'prêt', bill: 'addition' },
  seats: (count) => (count === 1 ? '1 place' : `${count} places`),
  guests: (count) => (count === 0 ? '' : count === 1 ? '1 couvert' : `${count} couverts`),
  minutes: (count) => (count < 60 ? `${count} min` : `${Math.floor(count / 60)} h ${count % 60}`),
  receipts: (count) => `${count} tickets`,
  idle: {
    calm: (_shown) => '',
    amber: (shown) => `calme depuis ${shown}`,
    red: (shown) => `attend : ${shown}`,
  },
  calls: 'appelle un serveur',
  wantsToPay: 'veut payer',
  served: 'Servi',
  servedOf: (table) => `${table} : ce qui est prêt a été servi`,
  chooseTitle: (table) => `${table} : quel ticket ?`,
  another: 'Un autre ticket',
}
