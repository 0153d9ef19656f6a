/** The setting that marks a copy which `comptoir backup` made (W7). */
export const COPIED = 'copied_by_backup'
