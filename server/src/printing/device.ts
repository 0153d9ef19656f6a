/** Command sets of receiptline that printers speak (R1). */
export const COMMANDS = [
  'escpos',
  'generic',
  'citizen',
  'sii',
  'fit',
  'impact',
  'starsbcs',
  'starlinesbcs',
  'stargraphic',
  'starimpact',
] as const
export type Command = (typeof COMMANDS)[number]

export const MODES = ['auto', 'text', 'raster'] as const

/** What of a printer decides the bytes that it is sent. */
export interface Device {
  readonly command: Command
  /** Dots a line: 384, 512 or 576. */
  readonly dots: number
  readonly mode: (typeof MODES)[number]
  readonly cut: boolean
}

/** R1: of all that a command set can switch between, receiptline takes the first that has the character. */
export const CODE_PAGE = 'multilingual'
