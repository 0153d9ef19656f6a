import type { eventTexts as english } from '../../en/integrations/events.ts'

/** Le fil des changements, à mesure qu’il grandit. */
export const eventTexts: typeof english = {
  title: 'Événements',
  lead: 'Chaque changement des données de votre restaurant, tel que vos intégrations le reçoivent. Les plus récents d’abord.',
  type: 'Type',
  everyType: 'Tous les types',
  of: (thing, what) => `${thing} : ${what}`,
  everyOf: (thing) => `${thing} : tout`,
  since: 'Depuis',
  ranges: { hour: 'La dernière heure', day: 'Le dernier jour', week: 'La dernière semaine' },
  live: 'En direct',
  paused: 'En pause',
  filters: 'Filtres',
  caption: 'Événements',
  columns: { what: 'Événement', changed: 'Changement', object: 'Objet', source: 'Par', when: 'Quand' },
  empty: 'Il ne s’est rien passé',
  emptyLead: 'Les changements s’affichent ici d’eux-mêmes.',
  sources: { api: 'API', staff: 'Équipe', import: 'Import', system: 'Système' },
  venue: (id) => `Établissement ${id}`,
  fromTo: (name, from, to) => `${name} : ${from} → ${to}`,
  rows: (count) => `${count} lignes`,
  all: 'Tout',
  shown: (count) => `Les ${count} plus récents sont affichés`,
}
