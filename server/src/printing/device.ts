import { type CODE_PAGES, PRINTER_COMMANDS, type PRINTER_MODES } from '../resources/places/printers.ts'

/** Command sets of receiptline that printers speak (R1). */
export const COMMANDS = PRINTER_COMMANDS
export type Command = (typeof COMMANDS)[number]

/** What of a printer decides the bytes that it is sent. */
export interface Device {
  readonly command: Command
  /** Dots a line: 384, 512 or 576. */
  readonly dots: number
  readonly mode: (typeof PRINTER_MODES)[number]
  /** R1: of all that a command set can switch between, receiptline takes the first that has the character; or one of them. */
  readonly code_page: (typeof CODE_PAGES)[number]
  readonly cut: boolean
}
