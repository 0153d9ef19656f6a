import type { Context } from './context.ts'

const WIDTH = 30
const REDRAW_MS = 100

export interface Progress {
  show(done: number): void
  end(): void
}

/** A bar on the terminal while long work goes on; nothing where there is no terminal or a program reads. */
export function progressBar({ err, json }: Context, what: string, total: number): Progress {
  if (!err.isTTY || json || total <= 0) return { show() {}, end() {} }
  let drawn = 0
  const draw = (done: number) => {
    const share = Math.min(1, done / total)
    const filled = Math.round(share * WIDTH)
    err.write(`\r${what} ${'█'.repeat(filled)}${'░'.repeat(WIDTH - filled)} ${Math.floor(share * 100)} %`)
  }
  return {
    show(done) {
      const now = performance.now()
      if (now - drawn < REDRAW_MS) return
      drawn = now
      draw(done)
    },
    end() {
      err.write('\r\u001b[K')
    },
  }
}
