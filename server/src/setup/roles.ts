// The six roles of a restaurant, which setup makes and the demo has.

const READ_THE_HOUSE = ['customers:read', 'products:read', 'price-lists:read', 'receipts:read']
const READ_THE_MENU = ['venues:read', 'categories:read', 'stations:read', 'sale-types:read', 'payment-methods:read']
const SELL = ['orders:read', 'orders:accept', 'receipts:write', 'receipts:close', 'kitchen:use', 'waiter-calls:write']
const READ_THE_MONEY = [
  'finance-balances:read',
  'finance-transactions:read',
  'finance-categories:read',
  'finance-cash-shifts:read',
  'finance-taxes:read',
]
const READ_THE_STOCK = ['stock:read', 'stock-operations:read', 'operations:read', 'storages:read', 'suppliers:read']

export const ROLES = {
  owner: ['*'],
  manager: [
    ...READ_THE_HOUSE,
    ...READ_THE_MENU,
    ...READ_THE_STOCK,
    ...READ_THE_MONEY,
    ...SELL,
    'users:read',
    'events:read',
    'customers:write',
    'customers:balance',
    'customers:erase',
    'orders:write',
    'receipts:discount',
    'receipts:void',
    'receipts:cancel',
    'receipts:refund',
    'receipts:others',
    'receipts:reprint',
    'tips:write',
    'drawer:open',
    'stop-list:write',
    'printers:read',
    'printers:use',
    'cash-shifts:write',
    'finance-transactions:write',
    'operations:write',
    'menu:write',
    'settings:write',
    'addons:manage',
    'webhooks:manage',
  ],
  cashier: [
    ...READ_THE_HOUSE,
    ...READ_THE_MENU,
    ...SELL,
    'customers:write',
    'customers:balance',
    'receipts:discount',
    'receipts:refund',
    'receipts:reprint',
    'drawer:open',
    'printers:read',
    'cash-shifts:write',
    'finance-cash-shifts:read',
  ],
  waiter: [...READ_THE_HOUSE, ...READ_THE_MENU, ...SELL],
  cook: ['products:read', 'categories:read', 'stations:read', 'orders:read', 'kitchen:use', 'stop-list:write'],
  accountant: [
    'venues:read',
    'receipts:read',
    'customers:read',
    ...READ_THE_STOCK,
    ...READ_THE_MONEY,
    'finance-transactions:write',
  ],
} satisfies Record<string, readonly string[]>
export type RoleName = keyof typeof ROLES
