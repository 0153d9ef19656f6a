import { setImmediate } from 'node:timers/promises'
import type { Random } from '../../server/src/demo/random.ts'
import { bytesOf } from '../../server/src/printing/bytes.ts'
import { COMMANDS, type Device } from '../../server/src/printing/device.ts'
import { Decoder, type Item } from '../../server/src/printing/fake/decode.ts'
import { ticketNamed } from '../../server/src/printing/print-fixture.ts'
import type { ReportFailure, Trial } from '../harness/trial.ts'

// R4: names of dishes that try to be commands. Each goes through a command set, and the fake printer reads every byte of it.

const WRITING = { language: 'en', time_zone: 'Europe/Paris', currency: 'EUR', money_places: 2 } as const
const DEVICE = { code_page: 'multilingual', dots: 384, mode: 'text', cut: true } as const
/** Drawing takes thirty times as long as text, and draws whatever it is. */
const DRAWN_EACH = 50
const LONGEST = 2_000

const PIECES = [
  ...'\\|{}~_"`^-=;: x1bp0',
  '\n',
  '\u001b',
  '\u0010\u0014',
  '\u0007',
  '\u001d',
  '\u202e',
  '\ue000',
  '{x:\\x1bp\\x00\\x19\\xfa}',
  '{code:1;option:qrcode}',
  '{i:AAAA}',
  '===',
  '---',
  'Soup',
  'é',
  'ə',
  '😀',
  '👩‍👩‍👧',
]

function hostileName(random: Random): string {
  const most = random.percent(1) ? LONGEST : random.between(1, 40)
  let name = ''
  while (name.length < most)
    name += random.percent(10) ? String.fromCharCode(random.between(0, 0xffff)) : random.pick(PIECES)
  return name
}

function itemsOf(name: string, device: Device): Item[] {
  const decoder = new Decoder()
  const items = decoder.push(bytesOf(ticketNamed(name), WRITING, device))
  if (decoder.isMidway) throw new Error('a command without its end')
  return items
}

const countOf = (items: readonly Item[], wanted: Item['kind']) => items.filter(({ kind }) => kind === wanted).length

/** No name gives a byte that its command set does not have, opens the drawer, cuts the paper or asks the printer anything. */
export async function hostile(trial: Trial, reportFailure: ReportFailure): Promise<string> {
  const { hostileNames } = trial.sizes
  const random = trial.random('hostile names')
  const devices = COMMANDS.map((command): Device => ({ ...DEVICE, command }))
  const drawn = (device: Device): Device => ({ ...device, mode: 'raster' })
  const shapeOf = (items: readonly Item[]) =>
    (['cut', 'pulse', 'status', 'done'] as const).map((kind) => `${kind} ${countOf(items, kind)}`).join(', ')
  const usual = new Map(devices.map((device) => [device.command, shapeOf(itemsOf('Soup', device))]))
  for (let index = 0; index < hostileNames; index++) {
    const name = hostileName(random)
    const plain = devices[index % devices.length]!
    const device = index % DRAWN_EACH === 0 ? drawn(plain) : plain
    try {
      const shape = shapeOf(itemsOf(name, device))
      if (shape !== usual.get(device.command)) reportFailure(`${device.command}: ${JSON.stringify(name)}: ${shape}`)
    } catch (error) {
      reportFailure(`${device.command}: ${JSON.stringify(name)}: ${String(error)}`)
    }
    if (index % 20 === 0) await setImmediate() // a trial that is over has to hear of it
  }
  return `${hostileNames} names of up to ${LONGEST} characters, each four times on a ticket, in ${devices.length} command sets`
}
