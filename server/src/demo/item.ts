import type { choices } from './choices.ts'
import type { Tag, Tax } from './rows.ts'

export type Unit = 'piece' | 'kg' | 'l'
export const UNIT_IDS: Record<Unit, number> = { piece: 1, kg: 2, l: 3 }

export type Course = 'breakfast' | 'starter' | 'main' | 'dessert' | 'drink' | 'pastime'

/** A size of a bought product has a cost of its own; one of a dish is a multiple of its recipe. */
export type Size = { name: string; price: number } & ({ cost: number } | { portions: number })

/** The price of one interval, from a number of minutes on. */
export type Step = { price: number; from: number }

type Pack = [name: string, holds: number]

/** One thing on the restaurant's shelves or menu. */
export interface Item {
  type: 'PRODUCT' | 'DISH' | 'TIMER' | 'PREPARATION' | 'INGREDIENT'
  name: string
  detail?: string
  price: number
  cost?: number // absent for what is made here: it costs what goes into it
  unit: Unit
  course?: Course // absent for what is not sold
  recipe: Record<string, number>
  sizes: Size[]
  choices: (keyof typeof choices)[]
  packs: Pack[]
  clock?: { interval: number; steps: Step[] } // minutes in an interval
  tax: keyof typeof taxes
  tags: (keyof typeof tags)[]
  unavailable: boolean // on the menu, but not sold at present
}

type Extras = Partial<Pick<Item, 'detail' | 'sizes' | 'choices' | 'packs' | 'tax' | 'tags' | 'unavailable'>>

const AT_TABLE: Tax = { id: 1, name: 'TVA 10 %, sur place', rate: 10 }
const FULL: Tax = { id: 2, name: 'TVA 20 %', rate: 20 }
const REDUCED: Tax = { id: 3, name: 'TVA 5,5 %, à emporter', rate: 5.5 }

export const taxes = {
  meal: [AT_TABLE, REDUCED],
  full: [FULL],
  reduced: [REDUCED],
} satisfies Record<string, Tax[]>

export const tags = {
  homemade: { id: 1, name: 'Fait maison', color: '#8D6E63' },
  vegetarian: { id: 2, name: 'Végétarien', color: '#4CAF50' },
  vegan: { id: 3, name: 'Végane', color: '#1B5E20' },
  glutenFree: { id: 4, name: 'Sans gluten', color: '#FBC02D' },
  spicy: { id: 5, name: 'Relevé', color: '#D84315' },
  season: { id: 6, name: 'De saison', color: '#00897B' },
  sharing: { id: 7, name: 'À partager', color: '#5E35B1' },
  alcohol: { id: 8, name: 'Alcool, 18 ans et plus', color: '#B71C1C' },
  organic: { id: 9, name: 'Agriculture biologique', color: '#7CB342' },
} satisfies Record<string, Tag>

const PLAIN = {
  unit: 'piece',
  recipe: {},
  sizes: [],
  choices: [],
  packs: [],
  tags: [],
  unavailable: false,
} satisfies Partial<Item>

export function ingredient(name: string, unit: Unit, cost: number, packs: Pack[], extras: Extras = {}): Item {
  return { ...PLAIN, type: 'INGREDIENT', name, price: 0, cost, unit, packs, tax: 'reduced', ...extras }
}

export function preparation(name: string, unit: Unit, recipe: Item['recipe'], extras: Extras = {}): Item {
  return { ...PLAIN, type: 'PREPARATION', name, price: 0, unit, recipe, tax: 'meal', tags: ['homemade'], ...extras }
}

export function dish(name: string, course: Course, price: number, extras: Extras & Pick<Item, 'recipe'>): Item {
  return { ...PLAIN, type: 'DISH', name, course, price, tax: 'meal', ...extras }
}

export function bought(name: string, course: Course, price: number, cost: number, extras: Extras = {}): Item {
  return { ...PLAIN, type: 'PRODUCT', name, course, price, cost, tax: 'meal', ...extras }
}

export function timer(name: string, interval: number, steps: [Step, ...Step[]], extras: Extras = {}): Item {
  const { price } = steps[0]
  return {
    ...PLAIN,
    type: 'TIMER',
    name,
    course: 'pastime',
    price,
    cost: 0,
    clock: { interval, steps },
    tax: 'full',
    ...extras,
  }
}
