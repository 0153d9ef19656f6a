/** What till and kitchen say of printers that do not print. */
export const alarmTexts = {
  label: 'Printers',
  states: {
    ready: 'busy',
    paper_low: 'busy',
    paper_out: 'paper out',
    cover_open: 'cover open',
    error: 'out of order',
    unreachable: 'not reachable',
    silent: 'does not answer',
    off: 'switched off',
  } as Record<string, string>,
  unknown: 'not reachable',
  tickets: (printer: string, state: string, count: number) =>
    `${printer}: ${state}. ${count === 1 ? '1 ticket waits.' : `${count} tickets wait.`}`,
  drawer: (printer: string) => `The drawer did not open (${printer}).`,
  show: 'Show',
  elsewhere: 'Print elsewhere',
  seen: 'Seen',
  choose: 'Print the tickets on',
  noOther: 'There is no other printer.',
  cancel: 'Cancel',
}
