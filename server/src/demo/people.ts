import type { Hours } from '../resources/places/venues.ts'
import { ROLES } from '../setup/roles.ts'
import type { ReasonKind } from '../values/states.ts'
import { DAY, firstDay } from './opening-hours.ts'
import { seeded, uuidOf } from './random.ts'
import type { CustomerGroupRow, CustomerRow, RoleRow, UserRow, VenueRow } from './rows.ts'

/** T20: what staff of the demo give a reason for. */
const REASON_FOR: ReasonKind[] = ['void', 'cancel', 'refund', 'discount', 'gift']

/**
 * Venue 1 is always open, so that every example works at any time. Their days begin at 04:00 UTC in summer and at 05:00 in winter, when
 * nobody is anywhere (opening-hours.ts).
 */
export const venues: VenueRow[] = [
  {
    kind: 'venue',
    id: 1,
    name: 'Le Comptoir du Canal',
    is_main: true,
    address: '12 quai de Valmy, Paris',
    phone: '+33 1 99 00 10 01',
    time_zone: 'Europe/Paris',
    day_starts_at: '06:00',
    accept: 'client',
    reason_for: REASON_FOR,
    print_language: 'fr',
  },
  {
    kind: 'venue',
    id: 2,
    name: 'Le Comptoir des Halles',
    is_main: false,
    address: 'Rua das Flores 7, Lisboa',
    phone: '+351 21 000 1002',
    time_zone: 'Europe/Lisbon',
    day_starts_at: '05:00',
    accept: 'ask',
    reason_for: REASON_FOR,
    print_language: 'fr',
    hours: hoursOf(['tue', 'wed', 'thu', 'fri', 'sat', 'sun'], '08:00', '23:00'),
  },
  {
    kind: 'venue',
    id: 3,
    name: 'Le Comptoir de la Belle-Étoile',
    is_main: false,
    address: '3 rue Saint-Denis, Montréal',
    phone: '+1 514 555 0103',
    time_zone: 'America/Toronto',
    day_starts_at: '00:00',
    accept: 'always',
    reason_for: REASON_FOR,
    print_language: 'fr',
    hours: hoursOf(['thu', 'fri', 'sat'], '18:00', '02:00'),
  },
]

function hoursOf(days: readonly (keyof Hours)[], from: string, to: string): Hours {
  return Object.fromEntries(days.map((day) => [day, [{ from, to }]]))
}

/** The roles that setup gives. */
export const roles: RoleRow[] = Object.entries(ROLES).map(([name, permissions], index) => ({
  kind: 'role',
  id: index + 1,
  name: name.charAt(0).toUpperCase() + name.slice(1),
  permissions,
}))

const user = (id: number, username: string, names: [first: string, last: string], role_id: number): UserRow => ({
  kind: 'user',
  id,
  username,
  name: names.join(' '),
  first_name: names[0],
  last_name: names[1],
  email: `${username}@comptoir.example`,
  role_id,
})

export const users: UserRow[] = [
  user(1, 'owner', ['Odile', 'Castaing'], 1),
  user(2, 'manager', ['Théo', 'Lindqvist'], 2),
  { ...user(3, 'cashier', ['Aïcha', 'Bensoussan'], 3), venue_ids: [1] },
  { ...user(4, 'waiter', ['Łukasz', 'Zając'], 4), venue_ids: [1] },
  { ...user(5, 'cashier.halles', ['Mai', 'Thị Hạnh'], 3), venue_ids: [2, 3] },
  { ...user(6, 'waiter.etoile', ['Óscar', 'Muñiz'], 4), venue_ids: [2, 3] },
  { ...user(7, 'cook', ['Noé', 'Kaminski'], 5), venue_ids: [1] },
  user(8, 'accountant', ['Ida', 'Rosenqvist'], 6),
]

const GROUPS: Pick<CustomerGroupRow, 'name' | 'discount_type' | 'discount_value' | 'system_type' | 'total_amount'>[] = [
  { name: 'Clients', discount_type: null, discount_value: 0, system_type: 'default', total_amount: null },
  { name: 'Équipe', discount_type: 'percent', discount_value: 30, system_type: 'employee', total_amount: null },
  { name: 'Habitués', discount_type: 'percent', discount_value: 10, system_type: 'custom', total_amount: 500 },
  { name: 'Amis de la maison', discount_type: 'amount', discount_value: 5, system_type: 'custom', total_amount: 1500 },
]

export const CUSTOMERS = 300

/** Given and family names of one language, combined freely: nobody in particular. */
interface Names {
  women: string[]
  men: string[]
  families: string[]
  familyFirst?: true
}

const FRENCH: Names = {
  women: ['Amélie', 'Océane', 'Maëlle', 'Zoé', 'Héloïse', 'Françoise', 'Inès', 'Anaïs'],
  men: ['Benoît', 'Rémi', 'Loïc', 'Cédric', 'Noël', 'Jérôme', 'Gaël', 'Aurélien'],
  families: ['Lecœur', 'Béranger', 'Fauvel', 'Guérin', 'Maréchal', 'Châtelain', 'Desnoyers', 'L’Hermitte', 'Prévôt'],
}
const ELSEWHERE: Names[] = [
  { women: ['Käthe', 'Jördis'], men: ['Jürgen', 'Björn'], families: ['Weiß', 'Großmann', 'Schäfer'] },
  { women: ['İpek', 'Çağla'], men: ['Ömer', 'Işık'], families: ['Yıldırım', 'Gündoğdu', 'Şahin'] },
  { women: ['Aysel', 'Günay'], men: ['Elçin', 'Rəşad'], families: ['Əlizadə', 'Rəhimzadə'] },
  { women: ['Agnieszka', 'Żaneta'], men: ['Łukasz', 'Paweł'], families: ['Nowak', 'Wójcik', 'Gołąb'] },
  { women: ['Åsa', 'Solveig'], men: ['Søren', 'Håkon'], families: ['Ødegård', 'Bjørnstad', 'Lindström'] },
  { women: ['Conceição', 'Inês'], men: ['João', 'Simão'], families: ['Guimarães', 'Leitão', 'Simões'] },
  { women: ['Олена', 'Юлія'], men: ['Андрій', 'Тарас'], families: ['Ткаченко', 'Бондаренко', 'Коваль'] },
  { women: ['ليلى', 'نور'], men: ['كريم', 'سامي'], families: ['حداد', 'منصور', 'خوري'] },
  {
    women: ['Ngọc Ánh', 'Thu Hằng'],
    men: ['Minh Đức', 'Quốc Bảo'],
    families: ['Trần', 'Phạm', 'Đặng'],
    familyFirst: true,
  },
  { women: ['美咲', '陽菜'], men: ['翔太', '健'], families: ['佐藤', '林', '小川'], familyFirst: true },
  { women: ['서연', '지우'], men: ['민준', '하준'], families: ['김', '박', '최'], familyFirst: true },
]
const NOTES = [
  'Préfère la terrasse',
  'Allergique aux noix',
  'Table près de la fenêtre',
  'Vient avec un chien, très poli',
  'Sans gluten',
  'Anniversaire fêté chez nous',
]

export function customerGroups(today: Date): CustomerGroupRow[] {
  const opened = new Date(firstDay(today) - 1000 * DAY).toISOString()
  return GROUPS.map((group, index) => ({
    kind: 'customer_group',
    id: index + 1,
    ...group,
    created_at: opened,
    updated_at: opened,
    deleted_at: null,
  }))
}

/** Everyone was known before the first receipt, so that no receipt is older than its customer. */
export function customers(today: Date): CustomerRow[] {
  const random = seeded('customers')
  let balances = 0
  return Array.from({ length: CUSTOMERS }, (_, index): CustomerRow => {
    const number = index + 1
    const names = random.percent(65) ? FRENCH : random.pick(ELSEWHERE)
    const female = random.percent(50)
    const given = random.pick(female ? names.women : names.men)
    const family = random.pick(names.families)
    const email = emailOf(given, family, number)
    const saved = random.percent(20) ? random.between(1, 24) * 5 : 0
    const earned = random.percent(40) ? random.between(10, 4000) / 100 : undefined
    return {
      kind: 'customer',
      id: String(number),
      name: names.familyFirst ? `${family} ${given}` : `${given} ${family}`,
      ...(random.percent(80) && { email }),
      phone: phoneOf(number, random.between(0, 9)),
      ...(random.percent(50) && { code: `CARTE-${String(number).padStart(5, '0')}` }),
      cid: uuidOf('customer', number),
      ...(random.percent(15) && { description: random.pick(NOTES) }),
      ...(random.percent(70) && { gender: female ? 2 : 1 }), // D3.5
      ...(random.percent(60) && { date_of_birth: birthday(random.between(0, 17_000)) }),
      group_id: groupIdOf(random.between(1, 100)),
      balance: { id: ++balances, amount: saved, type: 'CUSTOMER' },
      cashback_balance: { id: earned === undefined ? null : ++balances, amount: earned ?? 0, type: 'CASHBACK' },
      created_at: new Date(firstDay(today) - random.between(1, 800 * DAY)).toISOString(),
    }
  })
}

/** Role that may take something off a bill, void, cancel and refund. */
export const MANAGER = 2

const SELLERS = [2, 3, 4] // roles

/** Staff who ring up sales at a venue; the owner, the cook and the accountant do not. */
export const staffAt = (venueId: number): UserRow[] =>
  users.filter(({ role_id, venue_ids }) => SELLERS.includes(role_id) && (!venue_ids || venue_ids.includes(venueId)))

function groupIdOf(percentile: number): number {
  if (percentile <= 68) return 1
  if (percentile <= 71) return 2
  return percentile <= 92 ? 3 : 4
}

/** +33 6 39 98 is reserved for fiction. People write one number in several ways, which uniqueness has to see through (D4.1). */
function phoneOf(number: number, manner: number): string {
  const digits = String((number * 7919) % 10_000).padStart(4, '0') // 7919 is prime: no two numbers meet
  const [left, right] = [digits.slice(0, 2), digits.slice(2)]
  if (manner === 0) return `+3363998${digits}`
  if (manner === 1) return `+33 (6) 39.98.${left}.${right}`
  return `+33 6 39 98 ${left} ${right}`
}

function emailOf(given: string, family: string, number: number): string {
  const ascii = `${given}.${family}`
    .normalize('NFD')
    .replace(/[\p{M}’\s]/gu, '')
    .toLowerCase()
  return /^[a-z]+\.[a-z]+$/.test(ascii) ? `${ascii}@example.com` : `client${number}@example.org`
}

const birthday = (days: number) => new Date(Date.UTC(1958, 0, 1) + days * DAY).toISOString().slice(0, 10)
