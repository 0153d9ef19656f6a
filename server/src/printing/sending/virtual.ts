import type { VirtualFault } from '../../values/states.ts'
import { type Connection, PrinterAway } from './connection.ts'

/** R17: a printer on a page. It takes everything at once, unless one of its switches says that it is out of order. */
export async function openVirtual(faults: () => Promise<readonly VirtualFault[]>): Promise<Connection> {
  let isOpen = true
  if ((await faults()).includes('away')) throw new PrinterAway()
  return {
    get isOpen() {
      return isOpen
    },
    async state() {
      const now = await faults()
      if (now.includes('away')) {
        isOpen = false
        throw new PrinterAway()
      }
      if (now.includes('cover_open')) return 'cover_open'
      return now.includes('paper_out') ? 'paper_out' : 'ready'
    },
    async send() {},
    acknowledged: async () => true,
    close() {
      isOpen = false
    },
  }
}
