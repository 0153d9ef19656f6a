import { encode } from 'uqr'

/**
 * The modules of a QR code, row by row: true is dark. A screen needs no more error correction than the lowest level. Version 6 holds the
 * address of the longest name, so that the picture has one size for everybody.
 */
export const qrModules = (text: string): boolean[][] => encode(text, { ecc: 'L', border: 0, minVersion: 6 }).data
