/** States of a job (R8). */
export const JOB_STATES = ['waiting', 'sending', 'unsure', 'printed', 'moved', 'cancelled', 'expired'] as const
export type JobState = (typeof JOB_STATES)[number]

/** Jobs that are not on paper yet. Written out wherever a query asks for them: SQLite matches a partial index by its text. */
export const OPEN_JOBS = `state in ('waiting', 'sending', 'unsure')`

/** A drawer that opens later opens unattended (R16). */
export const DRAWER_MS = 5_000

/** Switches of a virtual printer (R17). */
export const VIRTUAL_FAULTS = ['paper_out', 'cover_open', 'away'] as const
export type VirtualFault = (typeof VIRTUAL_FAULTS)[number]
