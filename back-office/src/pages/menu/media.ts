import { api } from '../../api.ts'

/** Where a picture of a brand is served, to everybody. */
export const mediaHref = (brand: string, hash: string) => `/media/${encodeURIComponent(brand)}/${hash}`

/** The file is none that this browser can draw. */
export class NoPicture extends Error {}

const SIDES = { large: 1600, medium: 640, small: 160 } as const // M13
const MAX_BYTES = 600 * 1024
const QUALITIES = [0.85, 0.7, 0.5]

/** A picture in three sizes, drawn again by this browser, so that nothing of the camera goes with it; then uploaded. */
export async function uploadPicture(file: File) {
  const bitmap = await createImageBitmap(file).catch(() => {
    throw new NoPicture()
  })
  try {
    const sizes = await Promise.all(
      Object.entries(SIDES).map(async ([size, side]) => {
        const { hash, width, height } = (await api.upload(await drawn(bitmap, side))).data
        return [size, { hash, width, height }] as const
      }),
    )
    const { large, medium, small } = Object.fromEntries(sizes) as Record<keyof typeof SIDES, Uploaded>
    return { small: small.hash, medium: medium.hash, large: large.hash, width: large.width, height: large.height }
  } finally {
    bitmap.close()
  }
}

interface Uploaded {
  readonly hash: string
  readonly width: number
  readonly height: number
}

/** The picture with its longer side at most this long: WebP, or JPEG where the browser makes none. */
async function drawn(bitmap: ImageBitmap, side: number): Promise<Blob> {
  const scale = Math.min(1, side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement('canvas')
  canvas.width = Math.max(1, Math.round(bitmap.width * scale))
  canvas.height = Math.max(1, Math.round(bitmap.height * scale))
  const context = canvas.getContext('2d')!
  context.imageSmoothingQuality = 'high'
  context.drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  const made = await encoded(canvas, 'image/webp', QUALITIES[0]!) // a browser that cannot makes a PNG
  const type = made.type === 'image/webp' ? 'image/webp' : 'image/jpeg'
  for (const quality of QUALITIES) {
    const blob = await encoded(canvas, type, quality)
    if (blob.size <= MAX_BYTES) return blob
  }
  return encoded(canvas, type, 0.3)
}

const encoded = (canvas: HTMLCanvasElement, type: string, quality: number) =>
  new Promise<Blob>((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new NoPicture())), type, quality),
  )
