import type { RowCheck } from './finding.ts'

// I20: since the journal of a brand began, nothing was taken back or given away without one act that says who did it.

const BEGAN = '(select min(at) from receipt_acts where brand_id = ?)'

const VOIDS: RowCheck = {
  invariant: 'I20',
  subject: 'line',
  query: `select * from (select receipt_lines.id, receipts.status,
        (select count(*) from receipt_acts where receipt_acts.brand_id = ? and receipt_acts.line_id = receipt_lines.id
          and receipt_acts.action = 'void') as acts
      from receipt_lines join receipts on receipts.brand_id = receipt_lines.brand_id and receipts.id = receipt_lines.receipt_id
      where receipt_lines.brand_id = ? and receipt_lines.state = 'VOID' and receipts.rule > 0
        and instr(receipt_lines.body, '"sent_at":') > 0
        and substr(receipt_lines.body, instr(receipt_lines.body, '"updated_at":') + 14, 24) >= ${BEGAN}) as voids
    where acts > 1 or (acts = 0 and status <> 3)`,
  problem: ({ acts }) => `it was sent and voided, which ${acts} acts say`,
}

const GIFTS: RowCheck = {
  invariant: 'I20',
  subject: 'line',
  query: `select receipt_lines.id from receipt_lines
      join receipts on receipts.brand_id = receipt_lines.brand_id and receipts.id = receipt_lines.receipt_id
    where receipt_lines.brand_id = ? and receipts.rule > 0 and receipts.parent_id is null
      and instr(receipt_lines.body, '"is_gift":true') > 0 and receipts.created_at >= ${BEGAN}
      and not exists (select 1 from receipt_acts where receipt_acts.brand_id = ? and receipt_acts.line_id = receipt_lines.id
        and receipt_acts.action in ('gift', 'part'))`,
  problem: () => 'it is a gift of nobody',
}

const CANCELS: RowCheck = {
  invariant: 'I20',
  subject: 'receipt',
  query: `select * from (select id, (select count(*) from receipt_acts where receipt_acts.brand_id = ?
          and receipt_acts.receipt_id = receipts.id and receipt_acts.action = 'cancel') as acts
      from receipts where brand_id = ? and status = 3 and rule > 0 and deleted_at >= ${BEGAN}
        and instr(details, '"merged_into":') = 0) as cancels
    where acts <> 1`,
  problem: ({ acts }) => `it was cancelled, which ${acts} acts say`,
}

const REFUNDS: RowCheck = {
  invariant: 'I20',
  subject: 'receipt',
  query: `select * from (select parent_id as id, count(*) as refunds, (select count(*) from receipt_acts
          where receipt_acts.brand_id = ? and receipt_acts.receipt_id = parent_id and receipt_acts.action = 'refund') as acts
      from receipts where brand_id = ? and parent_id is not null and rule > 0 and created_at >= ${BEGAN}
      group by parent_id) as refunded
    where refunds <> acts`,
  problem: ({ refunds, acts }) => `${refunds} refunds of it have ${acts} acts`,
}

export const ACT_CHECKS: readonly RowCheck[] = [VOIDS, GIFTS, CANCELS, REFUNDS]
