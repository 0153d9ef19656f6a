import type { alarmTexts as english } from '../../en/printing/alarm.ts'

export const alarmTexts: typeof english = {
  label: 'Imprimantes',
  states: {
    ready: 'occupée',
    paper_low: 'occupée',
    paper_out: 'plus de papier',
    cover_open: 'capot ouvert',
    error: 'en panne',
    unreachable: 'injoignable',
    silent: 'ne répond pas',
    off: 'désactivée',
  },
  unknown: 'injoignable',
  tickets: (printer, state, count) =>
    `${printer} : ${state}. ${count === 1 ? '1 bon attend.' : `${count} bons attendent.`}`,
  drawer: (printer) => `Le tiroir ne s’est pas ouvert (${printer}).`,
  show: 'Afficher',
  elsewhere: 'Imprimer ailleurs',
  seen: 'Vu',
  choose: 'Imprimer les bons sur',
  noOther: 'Il n’y a pas d’autre imprimante.',
  cancel: 'Annuler',
}
