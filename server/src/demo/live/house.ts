import { ComptoirError } from '@comptoir/sdk'
import type { Random } from '../random.ts'
import { CallRefused, type StaffMember } from './staff.ts'
import type { Website } from './website.ts'

export interface House {
  readonly website: Website
  readonly staff: StaffMember
  readonly tally: Tally
  readonly random: Random
  /** Waits this many minutes of the restaurant's time; less when it is over. */
  minutes(count: number): Promise<void>
  isOver(): boolean
  begin(work: () => Promise<void>): void
}

/** What happened so far. */
export interface Tally {
  placed: number
  accepted: number
  refused: number
  closed: number
  soldOut: number
  venueClosed: number
  supplied: number
  /** Parties that sat down, courses fired for them, bills that several paid, and tips. */
  seated: number
  fired: number
  splits: number
  tips: number
  /** Calls that failed and were not meant to. */
  failed: string[]
}

export const refusalOf = (error: unknown): string =>
  error instanceof ComptoirError ? (error.slug ?? '') : error instanceof CallRefused ? error.error : ''
