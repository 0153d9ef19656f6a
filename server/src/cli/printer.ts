import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { InvalidArgumentError, Option, type Command as Program } from 'commander'
import { COMMANDS, type Command, type Device } from '../printing/device.ts'
import { FAULTS, type Faults, type Paper, readFault, startFakePrinter } from '../printing/fake/printer.ts'
import { pngOf } from '../printing/raster/png.ts'
import { tryPrinter } from '../printing/sending/try-printer.ts'
import { PRINT_PORT } from '../resources/places/printers.ts'
import { type Context, printable } from './context.ts'
import { integer } from './options.ts'

interface FakeOptions {
  port: number
  out?: string
  fault: Faults
}

function addFault(text: string, faults: Faults): Faults {
  const read = readFault(text)
  if (!read)
    throw new InvalidArgumentError(
      `It must be one of ${FAULTS.join(', ')}; paper_out_at, slow and cut_at take a number: slow=20.`,
    )
  return { ...faults, [read[0]]: read[1] }
}

/** R18: a printer for people who have none. */
export function printerCommands(program: Program, context: Context): void {
  const printer = program.command('printer').description('printers, to try without one')
  printer
    .command('fake')
    .description('a printer on a port of this machine: shows what it prints, until Ctrl-C')
    .option('--port <number>', 'where it listens, on 127.0.0.1', integer, 9100)
    .option('--out <folder>', 'writes each paper there too: text, and pictures as PNG')
    .option('--fault <name>', `fails as printers do; may be repeated: ${FAULTS.join(', ')} (slow=20)`, addFault, {})
    .action(async ({ port, out, fault }: FakeOptions) => {
      if (out !== undefined) mkdirSync(out, { recursive: true })
      let count = 0
      const fake = await startFakePrinter({
        port,
        faults: fault,
        onCut(paper) {
          count += 1
          show(context, count, paper)
          if (out !== undefined) keep(join(out, `paper-${count}`), paper)
        },
        onError: (sentence) => context.err.write(`${sentence}\n`),
      })
      context.err.write(`a printer listens on 127.0.0.1:${fake.port}\n`)
      await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
      await fake.close()
    })
  printer
    .command('test')
    .argument('<address>', 'an IP address, with a port where that is not 9100: 192.168.1.50:9101', addressOf)
    .description('prints a test page, and says what the printer answers')
    .addOption(new Option('--command <name>', 'what it speaks').choices(COMMANDS).default('escpos'))
    .addOption(new Option('--dots <number>', 'dots a line').choices(['384', '512', '576']).default('576'))
    .action(async (target: Address, { command, dots }: TestOptions) => {
      const device: Device = { command, dots: Number(dots), mode: 'auto', code_page: 'multilingual', cut: true }
      const { state, printed } = await tryPrinter({ ...target, device })
      if (context.json) context.out.write(`${JSON.stringify({ state, printed })}\n`)
      else
        context.out.write(
          `state: ${state}\n${printed ? 'The test page was acknowledged.' : 'No test page was acknowledged.'}\n`,
        )
      if (!printed) process.exitCode = 1
    })
}

interface Address {
  readonly address: string
  readonly port: number
}

interface TestOptions {
  readonly command: Command
  readonly dots: string
}

function addressOf(text: string): Address {
  const [, bracketed, plain, port = PRINT_PORT] = /^(?:\[(.+)\]|([^:]+))(?::(\d{1,5}))?$/.exec(text) ?? []
  const address = isIP(text) ? text : (bracketed ?? plain ?? '')
  if (isIP(address) === 0 || Number(port) > 65_535)
    throw new InvalidArgumentError('It must be an IP address, such as 192.168.1.50 or 192.168.1.50:9101.')
  return { address, port: Number(port) }
}

function show({ json, out }: Context, number: number, { lines, picture }: Paper): void {
  const size = picture && { width: picture.width, height: picture.height }
  if (json) return void out.write(`${JSON.stringify({ number, lines, ...(size && { picture: size }) })}\n`)
  const shown = size ? [`(a picture of ${size.width} × ${size.height} dots)`] : lines
  out.write(`${printable([`-- paper ${number}`, ...shown].join('\n'))}\n`)
}

function keep(name: string, { lines, picture }: Paper): void {
  writeFileSync(`${name}.txt`, `${lines.join('\n')}\n`)
  if (picture) writeFileSync(`${name}.png`, pngOf(picture.dots, picture.width, picture.height))
}
