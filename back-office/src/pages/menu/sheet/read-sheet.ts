/** M17: what a file may have. */
export const MAX_SHEET_BYTES = 5 * 1024 * 1024

export type FileFault = 'tooLarge' | 'notText'

/** The text of a spreadsheet file, or why it is none. */
export async function readSheet(file: File): Promise<{ text: string } | { fault: FileFault }> {
  if (file.size > MAX_SHEET_BYTES) return { fault: 'tooLarge' }
  try {
    return { text: new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(await file.arrayBuffer()) }
  } catch {
    return { fault: 'notText' }
  }
}
