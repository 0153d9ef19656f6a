import { definedOnly } from '../values/defined-only.ts'
import { REASON_KINDS } from '../values/states.ts'
import { productIdOf } from './catalogue.ts'
import { UNIT_IDS } from './item.ts'
import {
  CARD,
  CASH,
  CASHBACK_BALANCE,
  CUSTOMER_BALANCE,
  DELIVERY,
  DINE_IN,
  HALLS,
  ONLINE,
  TAKE_AWAY,
  VOUCHER,
} from './methods.ts'
import { DAY, dayIndex, firstDay } from './opening-hours.ts'
import { venues } from './people.ts'
import { uuidOf } from './random.ts'
import type {
  CategoryRow,
  CourseRow,
  FinanceCategoryRow,
  HallRow,
  NotePresetRow,
  PaymentMethodRow,
  PrinterRow,
  PrintRouteRow,
  ReasonRow,
  Row,
  SaleTypeRow,
  StationRow,
  StopListRow,
  StorageRow,
  SupplierRow,
  TableRow,
  TaxRow,
  TerminalRow,
  UnitRow,
} from './rows.ts'

// What changes rarely: how the menu is ordered, where it is made, how it is sold, paid and stored.

/** Rows created when the house opened. The ids of its balances follow those already taken. */
export function houseOf(today: Date, balancesTaken = 0): Row[] {
  const opened = new Date(firstDay(today) - 1000 * DAY).toISOString()
  const dated = { created_at: opened, updated_at: opened }
  return [
    ...COURSES.map((name, index): CourseRow => ({ kind: 'course', id: index + 1, name, status: 1 })),
    ...CATEGORIES.map(
      ({ parent_id, course, ...category }, index): CategoryRow => ({
        kind: 'category',
        id: index + 1,
        ...category,
        status: 1,
        hidden: category.type === 'INGREDIENT',
        position: index + 1,
        ...definedOnly({ parent_id, course }),
        ...dated,
      }),
    ),
    ...STATIONS.map(
      (name, index): StationRow => ({
        kind: 'station',
        id: index + 1,
        name,
        status: 1,
        type: name === 'Bar' ? 0 : 1,
        printable: 1,
        ...dated,
      }),
    ),
    ...UNITS,
    ...SALE_TYPES.map(
      ({ service_charge_rate, ...type }, index): SaleTypeRow => ({
        kind: 'sale_type',
        ...type,
        status: { 1: 1, 2: 1, 3: type.system_type === 'DELIVERY' ? 0 : 1 }, // the third venue delivers no more
        ...(service_charge_rate !== undefined && { service_charge_rate, charge_tax_id: 1 }),
        position: index + 1,
        ...dated,
      }),
    ),
    ...TAXES.map((tax): TaxRow => ({ kind: 'tax', ...tax, included: true, status: 1, ...dated })),
    ...METHODS.map(
      ({ balance, ...method }, index): PaymentMethodRow => ({
        kind: 'payment_method',
        ...method,
        status: { 1: 1, 2: 1, 3: 1 },
        position: index + 1,
        ...(balance && { balance: { id: balancesTaken + method.id, ...balance } }),
        ...dated,
      }),
    ),
    ...printing(),
    ...venues.flatMap(({ id: venue_id }): TerminalRow[] =>
      terminalsAt(venue_id).map((id, index) => ({
        kind: 'terminal',
        id,
        venue_id,
        name: ['Comptoir', 'Salle'][index]!,
        status: 1,
      })),
    ),
    ...halls(),
    ...tables(),
    ...['Réserve', 'Cave'].flatMap((name, index) =>
      venues.map(
        ({ id: venue_id }): StorageRow => ({
          kind: 'storage',
          id: [storageOf(venue_id).main, storageOf(venue_id).cellar][index]!,
          venue_id,
          name,
          is_main: index === 0 ? 1 : 0,
          status: 1,
          ...dated,
        }),
      ),
    ),
    ...SUPPLIERS.map(
      (supplier, index): SupplierRow => ({
        kind: 'supplier',
        id: index + 1,
        ...supplier,
        spent: 1250 * (index + 1),
        balance: { id: balancesTaken + METHODS.length + 1 + index, amount: 125.5 * index, type: 'SUPPLIER' },
        status: 1,
        ...dated,
      }),
    ),
    ...FINANCE.map(
      ({ name, type, system_type, parent }, index): FinanceCategoryRow => ({
        kind: 'finance_category',
        id: index + 1,
        name,
        type,
        ...definedOnly({ system_type }),
        ...(parent !== undefined && { parent_id: FINANCE.findIndex((other) => other.name === parent) + 1 }),
        status: 1,
        ...dated,
      }),
    ),
    ...REASONS.map(
      ({ name, kinds, needs_note = 0 }, index): ReasonRow => ({
        kind: 'reason',
        id: index + 1,
        name,
        kinds,
        needs_note,
        position: index + 1,
        status: 1,
      }),
    ),
    ...NOTES.map(
      ({ name, allergy = 0, category_ids }, index): NotePresetRow => ({
        kind: 'note_preset',
        id: index + 1,
        name,
        ...definedOnly({ category_ids }),
        allergy,
        position: index + 1,
        status: 1,
      }),
    ),
    ...stopList(today),
  ]
}

/** Terminal ids: two in each venue. */
export const terminalsAt = (venue_id: number) => [venue_id * 2 - 1, venue_id * 2]

export const storageOf = (venue_id: number) => ({ main: venue_id, cellar: venues.length + venue_id })

/** The stop list. The first venue's has only what is not on its menu at present, so that every example works there. */
function stopList(today: Date): StopListRow[] {
  const timestamp = firstDay(today) + dayIndex(today) * DAY
  const entry = (venue_id: number, name: string, limit: number): StopListRow => ({
    kind: 'stop_list_entry',
    id: productIdOf(name),
    venue_id,
    limit,
    timestamp,
    entry: uuidOf(`stop list ${venue_id}`, productIdOf(name)),
  })
  return [
    entry(1, 'Risotto aux cèpes', 0),
    entry(2, 'Kombucha gingembre', 0),
    { ...entry(2, 'Jus de pomme fermier', 6), until: new Date(timestamp + DAY).toISOString() },
    entry(3, 'Limonade artisanale', 0),
  ]
}

/** Why people here take back and give away. */
export const REASONS: { name: string; kinds: ReasonRow['kinds']; needs_note?: 0 | 1 }[] = [
  { name: 'Erreur de saisie', kinds: ['void', 'cancel', 'price'] },
  { name: 'Le client a changé d’avis', kinds: ['void', 'cancel', 'refund'] },
  { name: 'Plat non conforme', kinds: ['void', 'refund', 'discount', 'gift'] },
  { name: 'Attente trop longue', kinds: ['void', 'discount', 'gift'] },
  { name: 'Geste commercial', kinds: ['discount', 'gift', 'price'] },
  { name: 'Repas du personnel', kinds: ['discount', 'gift'] },
  { name: 'Monnaie', kinds: ['drawer', 'cash'] },
  { name: 'Autre', kinds: [...REASON_KINDS], needs_note: 1 },
]

/** What waiters tap for the kitchen. Categories are those of dishes. */
const NOTES: { name: string; allergy?: 0 | 1; category_ids?: number[] }[] = [
  { name: 'Allergie aux noix', allergy: 1 },
  { name: 'Allergie au gluten', allergy: 1 },
  { name: 'Allergie aux fruits de mer', allergy: 1 },
  { name: 'Sans oignon', category_ids: [6, 7] },
  { name: 'Sauce à part', category_ids: [6, 7] },
  { name: 'Bien cuit', category_ids: [7] },
  { name: 'Saignant', category_ids: [7] },
  { name: 'Sans glaçons', category_ids: [9] },
]

/** What is served after each other, from 1 on. */
const COURSES = ['Entrées', 'Plats', 'Desserts']

const CATEGORIES: Pick<CategoryRow, 'name' | 'type' | 'color' | 'parent_id' | 'course'>[] = [
  { name: 'À manger', type: 'PRODUCT', color: '#D84315' },
  { name: 'À boire', type: 'PRODUCT', color: '#00897B' },
  { name: 'Loisirs', type: 'PRODUCT', color: '#5E35B1' },
  { name: 'Réserve', type: 'INGREDIENT', color: '#8D6E63' },
  { name: 'Le matin', type: 'PRODUCT', color: '#FBC02D', parent_id: 1 },
  { name: 'Entrées', type: 'PRODUCT', color: '#7CB342', parent_id: 1, course: 1 },
  { name: 'Plats', type: 'PRODUCT', color: '#B71C1C', parent_id: 1, course: 2 },
  { name: 'Desserts', type: 'PRODUCT', color: '#AD1457', parent_id: 1, course: 3 },
  { name: 'Boissons', type: 'PRODUCT', color: '#1B5E20', parent_id: 2 },
  { name: 'Ingrédients', type: 'INGREDIENT', color: '#6D4C41', parent_id: 4 },
  { name: 'Préparations', type: 'INGREDIENT', color: '#A1887F', parent_id: 4 },
]

/** The main venue prints on pages of the back office, until somebody connects a printer. */
function printing(): (PrinterRow | PrintRouteRow)[] {
  const printer = (id: number, name: string, drawer: 0 | 1 = 0): PrinterRow => ({
    kind: 'printer',
    ...VIRTUAL_PRINTER,
    id,
    venue_id: 1,
    name,
    drawer,
  })
  const [kitchen, bar, till] = [1, 2, 3] as const
  const route = (
    id: number,
    printer_id: number,
    of: Pick<PrintRouteRow, 'station_id' | 'document'>,
  ): PrintRouteRow => ({
    kind: 'print_route',
    id,
    venue_id: 1,
    ...of,
    printer_id,
    copies: 1,
  })
  return [
    printer(kitchen, 'Cuisine'),
    printer(bar, 'Bar'),
    printer(till, 'Caisse', 1),
    ...STATIONS.map((name, index) => route(index + 1, name === 'Bar' ? bar : kitchen, { station_id: index + 1 })),
    route(STATIONS.length + 1, till, { document: 'bill' }),
    route(STATIONS.length + 2, till, { document: 'report' }),
  ]
}

const VIRTUAL_PRINTER = {
  printer_kind: 'virtual',
  command: 'escpos',
  paper: 80,
  dots: 576,
  code_page: 'multilingual',
  mode: 'auto',
  ack: 1,
  cut: 1,
  status: 1,
} as const

const STATIONS = ['Cuisine chaude', 'Pâtisserie', 'Bar']

const UNITS: UnitRow[] = [
  { kind: 'unit', id: UNIT_IDS.piece, name: 'Pièce', symbol: 'pce' },
  { kind: 'unit', id: UNIT_IDS.kg, name: 'Kilogramme', symbol: 'kg' },
  { kind: 'unit', id: UNIT_IDS.l, name: 'Litre', symbol: 'l' },
]

const SALE_TYPES: Pick<SaleTypeRow, 'id' | 'name' | 'system_type' | 'channel' | 'service_charge_rate'>[] = [
  { id: DINE_IN.id, name: 'Sur place', system_type: 'IN', channel: 'IN', service_charge_rate: 10 },
  { id: TAKE_AWAY.id, name: 'À emporter', system_type: 'TAKEAWAY', channel: 'TAKEAWAY' },
  { id: DELIVERY.id, name: 'Livraison', system_type: 'DELIVERY', channel: 'DELIVERY' },
]

const TAXES: Pick<TaxRow, 'id' | 'name' | 'rate' | 'sale_type_ids' | 'is_default'>[] = [
  { id: 1, name: 'TVA 10 %, sur place', rate: 10, sale_type_ids: [DINE_IN.id], is_default: 1 },
  { id: 2, name: 'TVA 20 %', rate: 20, sale_type_ids: [], is_default: 0 },
  { id: 3, name: 'TVA 5,5 %, à emporter', rate: 5.5, sale_type_ids: [TAKE_AWAY.id, DELIVERY.id], is_default: 1 },
]

type Balance = Omit<NonNullable<PaymentMethodRow['balance']>, 'id'>
const METHODS: (Pick<PaymentMethodRow, 'id' | 'name' | 'payment_kind' | 'customer_required'> & {
  balance?: Balance
})[] = [
  { ...CASH, payment_kind: 'CASH', customer_required: 0, balance: { name: 'Caisse', type: 'CASH' } },
  { ...CARD, payment_kind: 'CARD', customer_required: 0, balance: { name: 'Banque', type: 'CARD' } },
  { ...VOUCHER, payment_kind: 'OTHER', customer_required: 0, balance: { name: 'Titres', type: 'OTHER' } },
  { ...ONLINE, payment_kind: 'OTHER', customer_required: 0, balance: { name: 'En ligne', type: 'OTHER' } },
  { ...CUSTOMER_BALANCE, payment_kind: 'CUSTOMER', customer_required: 1 },
  { ...CASHBACK_BALANCE, payment_kind: 'CASHBACK', customer_required: 1 },
]

const HALL_NAMES = Object.keys(HALLS)
const hallId = (venue_id: number, place: number) => (venue_id - 1) * HALL_NAMES.length + place + 1

const halls = (): HallRow[] =>
  venues.flatMap(({ id: venue_id }) =>
    HALL_NAMES.map(
      (name, place): HallRow => ({
        kind: 'hall',
        id: hallId(venue_id, place),
        venue_id,
        name,
        position: place + 1,
        status: 1,
      }),
    ),
  )

function tables(): TableRow[] {
  let id = 0
  return venues.flatMap(({ id: venue_id }) =>
    Object.entries(HALLS).flatMap(([hall, count], place) =>
      Array.from({ length: count }, (_, index): TableRow => {
        const name = `${hall.charAt(0)}${index + 1}`
        const seats = 2 + 2 * (index % 3)
        return { kind: 'table', id: ++id, venue_id, name, hall, hall_id: hallId(venue_id, place), seats, status: 1 }
      }),
    ),
  )
}

const SUPPLIERS: Pick<SupplierRow, 'name' | 'phone' | 'email' | 'address' | 'tax_id'>[] = [
  {
    name: 'Primeurs du Canal',
    phone: '+33 1 99 00 11 01',
    email: 'commandes@primeurs.example',
    address: 'Rungis',
    tax_id: 'FR 00 111',
  },
  {
    name: 'Crèmerie Béranger',
    phone: '+33 1 99 00 11 02',
    email: 'bonjour@cremerie.example',
    address: 'Isigny',
    tax_id: 'FR 00 222',
  },
  {
    name: 'Brûlerie de l’Étoile',
    phone: '+33 1 99 00 11 03',
    email: 'cafe@brulerie.example',
    address: 'Pantin',
    tax_id: 'FR 00 333',
  },
]

const FINANCE: (Pick<FinanceCategoryRow, 'name' | 'type' | 'system_type'> & { parent?: string })[] = [
  { name: 'Ventes', type: 'INCOME', system_type: 'SALE' },
  { name: 'Remboursements', type: 'EXPENSE', system_type: 'REFUND' },
  { name: 'Achats', type: 'EXPENSE', system_type: 'SUPPLY' },
  { name: 'Apport en caisse', type: 'INCOME', system_type: 'CASH_IN' },
  { name: 'Retrait de caisse', type: 'EXPENSE', system_type: 'CASH_OUT' },
  { name: 'Écart de caisse', type: 'EXPENSE', system_type: 'CASH_DIFFERENCE' },
  { name: 'Recharge de compte', type: 'INCOME', system_type: 'TOP_UP' },
  { name: 'Cagnotte', type: 'EXPENSE', system_type: 'CASHBACK' },
  { name: 'Ouverture', type: 'INCOME', system_type: 'OPENING' },
  { name: 'Charges', type: 'EXPENSE' },
  { name: 'Loyer', type: 'EXPENSE', parent: 'Charges' },
  { name: 'Énergie', type: 'EXPENSE', parent: 'Charges' },
  { name: 'Pourboires', type: 'INCOME', system_type: 'TIP' },
  { name: 'Pourboires versés', type: 'EXPENSE', system_type: 'TIP_PAYOUT' },
]
