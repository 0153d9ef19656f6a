import { encode } from 'uqr'

/** The modules of a QR code, row by row: true is dark. A screen needs no more error correction than the lowest level. */
export const qrModules = (text: string): boolean[][] => encode(text, { ecc: 'L', border: 0 }).data
