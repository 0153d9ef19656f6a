import { readFileSync, writeFileSync } from 'node:fs'
import { hashOf } from '../server/src/resources/entries/images.ts'
import { launchChromium } from '../server/test/chromium.ts'

// Draws the pictures of the demo, scripts/pictures/*.svg, in the three sizes that a browser makes of an upload, and writes them where the
// demo reads them. Run it after changing a drawing: `node scripts/demo-pictures.ts`.

/** By the names of the dishes (server/src/demo/menu.ts). */
const DRAWN: Readonly<Record<string, string>> = {
  'Croissant au beurre': 'croissant',
  Cappuccino: 'cappuccino',
  'Limonade artisanale': 'lemonade',
  'Burger du Comptoir': 'burger',
  Χωριάτικη: 'greek-salad',
  'Steak frites': 'steak-frites',
  'Moules marinières': 'mussels',
  'Crème brûlée': 'creme-brulee',
  'Tarte Tatin': 'tarte-tatin',
  'Coupe glacée': 'ice-cream',
}
const SIZES = { small: 160, medium: 640, large: 960 }
const OUTPUT = new URL('../server/src/demo/pictures.json', import.meta.url)

const browser = await launchChromium()
const page = await browser.newPage()

/** The bytes of a drawing so many pixels wide, as WebP in base64. */
const drawn = (svg: string, width: number): Promise<string> =>
  page.evaluate(`(async () => {
    const image = new Image()
    image.src = ${JSON.stringify(`data:image/svg+xml,${encodeURIComponent(svg)}`)}
    await image.decode()
    const canvas = document.createElement('canvas')
    canvas.width = ${width}
    canvas.height = ${(width * 3) / 4}
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height)
    return canvas.toDataURL('image/webp', 0.72).split(',')[1]
  })()`)

const pictures = []
for (const [dish, file] of Object.entries(DRAWN)) {
  const svg = readFileSync(new URL(`pictures/${file}.svg`, import.meta.url), 'utf8')
  const sizes = []
  for (const width of Object.values(SIZES)) {
    const data = await drawn(svg, width)
    sizes.push({ id: hashOf(Buffer.from(data, 'base64')), data })
  }
  const [small, medium, large] = sizes
  pictures.push({ dish, width: SIZES.large, height: (SIZES.large * 3) / 4, small, medium, large })
}
await browser.close()
writeFileSync(OUTPUT, `${JSON.stringify(pictures, null, 2)}\n`)
