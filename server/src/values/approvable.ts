/** T19: permissions that somebody else can lend for one act. Nothing is imported here: the pages bundle this file. */
export const APPROVABLE = [
  'receipts:void',
  'receipts:discount',
  'receipts:cancel',
  'receipts:refund',
  'receipts:others',
  'receipts:reprint',
  'drawer:open',
  'cash-shifts:write',
] as const

export const isApprovable = (permission: string): boolean => APPROVABLE.some((each) => each === permission)
