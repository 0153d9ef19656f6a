/** A strip of paper as dots, of a fixed width, as long as what is drawn on it. One bit a dot, each row begins with a byte. */
export class Page {
  readonly width: number
  readonly stride: number
  #rows = 0
  #dots: Uint8Array

  constructor(width: number) {
    this.width = width
    this.stride = (width + 7) >> 3
    this.#dots = new Uint8Array(this.stride * 512)
  }

  get height(): number {
    return this.#rows
  }

  /** Makes the strip longer, by white rows. */
  feed(rows: number): void {
    this.#rows += rows
    const needed = this.#rows * this.stride
    if (needed <= this.#dots.length) return
    const longer = new Uint8Array(Math.max(needed, 2 * this.#dots.length))
    longer.set(this.#dots)
    this.#dots = longer
  }

  /** Fills a rectangle: 1 black, 0 white. What is beyond the strip's edges is left out. */
  fill(left: number, top: number, width: number, height: number, dot: 0 | 1): void {
    const right = Math.min(left + width, this.width)
    for (let y = top; y < Math.min(top + height, this.#rows); y += 1)
      for (let x = Math.max(left, 0); x < right; x += 1) this.set(x, y, dot)
  }

  set(x: number, y: number, dot: 0 | 1): void {
    if (x >= this.width) return
    const at = y * this.stride + (x >> 3)
    const bit = 0x80 >> (x & 7)
    this.#dots[at] = dot === 1 ? this.#dots[at]! | bit : this.#dots[at]! & ~bit
  }

  /** The dots, as printers take them. */
  dots(): Uint8Array {
    return this.#dots.subarray(0, this.#rows * this.stride)
  }
}

const DLE = 0x10
/** After DLE: commands that a printer obeys at once, even inside a picture (EOT, ENQ, DC4). */
const REAL_TIME = [0x04, 0x05, 0x14]

/** R6: one dot more wherever dots would read as a command in real time; it never makes another one. */
export function defused(dots: Uint8Array): Uint8Array {
  const safe = dots.slice()
  for (let at = 0; at < safe.length - 1; at += 1)
    if (safe[at] === DLE && REAL_TIME.includes(safe[at + 1]!)) safe[at] = DLE | 0x08
  return safe
}
