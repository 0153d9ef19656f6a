import { isIP } from 'node:net'
import Type, { type Static } from 'typebox'
import { defineResource } from '../../resource/define.ts'
import { RowProblem } from '../../resource/files/read-row.ts'
import { Flag, Id, Maybe, Name, Status, Trimmed } from '../../resource/values.ts'
import type { WriteContext } from '../../resource/write/write.ts'
import { places } from '../../storage/upsert.ts'

/** What a printer speaks: the names of receiptline (R1). */
export const PRINTER_COMMANDS = [
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
export const PRINTER_MODES = ['auto', 'text', 'raster'] as const
/** The first switches between all that a command set has, by the character. */
export const CODE_PAGES = ['multilingual', 'cp437', 'cp852', 'cp858', 'cp866', 'cp1252'] as const
export const PRINTER_KINDS = ['virtual', 'network', 'browser'] as const

/** Where printers listen that say nothing else. */
export const PRINT_PORT = 9100

export const Printer = Type.Object(
  {
    id: Id(),
    venue_id: Id(),
    name: Name(),
    printer_kind: Type.Enum([...PRINTER_KINDS], {
      description: 'network: the service connects to it; virtual: papers on a page; browser: the till prints by itself',
    }),
    address: Maybe(Trimmed({ maxLength: 64, description: 'An IP address, of a network printer' })),
    port: Maybe(Type.Integer({ minimum: 1, description: '9100 by default, for a network printer' })),
    command: Type.Enum([...PRINTER_COMMANDS]),
    paper: Type.Enum([58, 80], { description: 'Millimetres' }),
    dots: Type.Enum([384, 512, 576], { description: 'Dots a line' }),
    code_page: Type.Enum([...CODE_PAGES]),
    mode: Type.Enum([...PRINTER_MODES], { description: 'auto: drawn where the printer lacks a letter' }),
    ack: Flag('1 if it answers that it has printed'),
    drawer: Flag('1 if a cash drawer is connected'),
    cut: Flag('1 if it cuts the paper'),
    status: Status(),
  },
  { $id: 'Printer' },
)
export type Printer = Static<typeof Printer>

const { command, paper, dots, code_page, mode, ack, drawer, cut, status, ...required } = Printer.properties

/** A line of an import, and what a form sends: what is left out has its default. */
export const PrinterRow = Type.Object({
  ...required,
  command: Maybe(command),
  paper: Maybe(paper),
  dots: Maybe(dots),
  code_page: Maybe(code_page),
  mode: Maybe(mode),
  ack: Maybe(ack),
  drawer: Maybe(drawer),
  cut: Maybe(cut),
  status: Maybe(status),
})
export type PrinterRow = Static<typeof PrinterRow>

/** What holds where a line says nothing. */
const DEFAULTS = {
  command: 'escpos',
  paper: 80,
  code_page: 'multilingual',
  mode: 'auto',
  ack: 1,
  drawer: 0,
  cut: 1,
  status: 1,
} as const

const DOTS_OF_PAPER = { 58: 384, 80: 576 } as const

export const printers = defineResource({
  name: { one: 'printer', many: 'printers' },
  tag: 'Printing',
  about: 'Where a venue prints: printers of its network, pages that show papers, and the till’s own browser.',
  wire: Printer,
  line: PrinterRow,
  scope: 'venue',
  columns: { id: 'integer', venue_id: 'integer', name: 'text', printer_kind: 'key', status: 'integer' },
  references: { venue_id: 'venues' },
  list: {},
  api: { list: {} },
  edit: {
    permission: 'settings:write',
    members: [
      'name',
      'printer_kind',
      'address',
      'port',
      'command',
      'paper',
      'dots',
      'code_page',
      'mode',
      'ack',
      'drawer',
      'cut',
      'status',
    ],
    removable: true,
    start: async () => ({ printer_kind: 'network', ...DEFAULTS }),
  },
  check({ printer_kind, address, port }) {
    if (printer_kind === 'network' && address === undefined)
      throw new RowProblem('address is needed for a network printer')
    if (address !== undefined && isIP(address) === 0)
      throw new RowProblem(`address must be an IP address such as 192.168.1.50, not ${JSON.stringify(address)}`)
    if (port !== undefined && port > 65_535) throw new RowProblem('port must be at most 65535')
  },
  complete: async (_context, lines) =>
    lines.map((line) => ({
      ...line,
      ...(line.printer_kind === 'network' && { port: line.port ?? PRINT_PORT }),
      ...DEFAULTS,
      dots: DOTS_OF_PAPER[line.paper ?? DEFAULTS.paper],
      ...line,
    })),
})

/** I13: rows of a venue name its own printers; one that there is not is refused alike. */
export async function refuseOtherPrinters(
  { tx, brand_id }: WriteContext,
  lines: readonly { readonly venue_id: number; readonly printer_id?: number | undefined }[],
): Promise<void> {
  const ids = lines.flatMap(({ printer_id }) => printer_id ?? [])
  if (ids.length === 0) return
  const rows = await tx.rows<{ id: number; venue_id: number }>(
    `select id, venue_id from printers where brand_id = ? and id in ${places(ids)}`,
    [brand_id, ...ids],
  )
  const venues = new Map(rows.map(({ id, venue_id }) => [id, venue_id]))
  for (const line of lines)
    if (line.printer_id !== undefined && venues.get(line.printer_id) !== line.venue_id)
      throw new RowProblem(`printer_id ${line.printer_id} is no printer of this venue`, line)
}
