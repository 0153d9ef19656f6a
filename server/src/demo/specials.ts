import { bought, dish, type Item, ingredient, preparation, timer } from './item.ts'

// What a larger group adds to the menu: growers and their produce, the specials made of it, a deeper cellar.
// The lists are walked side by side; no two of their lengths share a factor, so that combinations come back late.

const PRODUCE = [
  { name: 'Agneau', cost: 19.8, price: 24.5 },
  { name: 'Veau', cost: 22.4, price: 26.9 },
  { name: 'Pintade', cost: 12.6, price: 21.9 },
  { name: 'Canette', cost: 14.1, price: 22.5 },
  { name: 'Truite', cost: 13.7, price: 20.9 },
  { name: 'Lapin', cost: 11.9, price: 19.5 },
  { name: 'Potimarron', cost: 2.4, price: 14.9 },
  { name: 'Chou-fleur', cost: 2.2, price: 14.5 },
  { name: 'Céleri-rave', cost: 1.9, price: 13.9 },
  { name: 'Asperges', cost: 8.7, price: 17.5 },
  { name: 'Pleurotes', cost: 9.3, price: 16.9 },
]
const GROWERS = [
  'Ferme des Tilleuls',
  'Potager d’Élise',
  'Domaine du Héron',
  'Jardins de Ker Avel',
  'Mas de l’Ânesse',
  'Bergerie du Causse',
  'Clos Saint-Éloi',
  'Moulin de la Noë',
  'Ferme Øster Mark',
  'Finca Peñalara',
  'Gut Mühlenstück',
  'Güneşli Çiftliği',
  'Quinta do Açor',
]
const MANNERS = [
  'au four',
  'à la broche',
  'en papillote',
  'à la plancha',
  'en cocotte',
  'au beurre noisette',
  'au romarin',
  'aux agrumes',
  'à l’ail doux',
  'en croûte d’herbes',
  'façon grand-mère',
  'au cidre',
  'à l’estragon',
  'au poivre',
  'à basse température',
  'au foin',
  'au safran',
]
const SIDES = [
  { name: 'purée au beurre', ingredient: 'Purée de pommes de terre', gross: 0.2 },
  { name: 'ratatouille', ingredient: 'Ratatouille', gross: 0.18 },
  { name: 'haricots verts', ingredient: 'Haricots verts', gross: 0.15 },
  { name: 'riz crémeux', ingredient: 'Riz carnaroli', gross: 0.08 },
  { name: 'semoule', ingredient: 'Semoule fine', gross: 0.1 },
  { name: 'pommes grenaille', ingredient: 'Pommes de terre Agria', gross: 0.22 },
  { name: 'betteraves rôties', ingredient: 'Betterave', gross: 0.2 },
]
const WINES = [
  'Chinon',
  'Saumur',
  'Gigondas',
  'Vouvray',
  'Cahors',
  'Jurançon',
  'Bourgueil',
  'Faugères',
  'Côtes de Toul',
]
const ESTATES = [
  'Clos du Funambule',
  'Domaine de l’Équinoxe',
  'Château Grand-Merle',
  'Domaine des Trois Hérons',
  'Mas Poussière d’Été',
]

const PLATES = 6
const PLATE_CHOICES: Item['choices'][] = [['sauce'], ['wishes'], []]

/** Without end: one grower after another, with what kitchen and cellar make of the delivery. */
export function* specials(): Generator<Item> {
  for (let round = 0; ; round++) {
    const { name: produce, cost, price } = cycle(PRODUCE, round)
    const grower = cycle(GROWERS, round)
    const raw = `${produce}, ${grower}, lot ${round + 1}`
    const gravy = `Jus court, lot ${round + 1}`

    yield ingredient(raw, 'kg', cost, [['Caisse 5 kg', 5]], { tags: ['season', 'organic'] })
    yield preparation(gravy, 'l', { [raw]: 0.3, 'Oignons jaunes': 0.2, 'Beurre AOP Charentes-Poitou': 0.1 })

    for (let plate = 0; plate < PLATES; plate++) {
      const turn = round * PLATES + plate
      const side = cycle(SIDES, turn)
      yield dish(`${produce} ${cycle(MANNERS, turn)}, ${side.name}`, 'main', price, {
        recipe: { [raw]: 0.18, [gravy]: 0.05, [side.ingredient]: side.gross, 'Huile d’olive': 0.01 },
        detail: grower,
        choices: cycle(PLATE_CHOICES, plate),
        tags: ['season', 'homemade'],
        unavailable: turn % 29 === 28,
      })
    }

    yield dish(`Grande tablée, ${produce.toLowerCase()} ${cycle(MANNERS, round)}`, 'main', price, {
      recipe: { [raw]: 0.2, [gravy]: 0.06, 'Pommes de terre Agria': 0.25 },
      detail: grower,
      sizes: [
        { name: 'Pour un', price, portions: 1 },
        { name: 'Pour deux', price: price * 2 - 4, portions: 2 },
      ],
      choices: ['side'],
      tags: ['season', 'sharing'],
    })
    yield bought(`${cycle(ESTATES, round)} ${cycle(WINES, round)}`, 'drink', 33, 12.8, {
      detail: `cuvée ${round + 1}`,
      sizes: [
        { name: 'Bouteille 75 cl', price: 33, cost: 12.8 },
        { name: 'Magnum 150 cl', price: 69, cost: 26.9 },
      ],
      packs: [['Caisse de 6', 6]],
      tax: 'full',
      tags: ['alcohol'],
    })
    yield bought(`Bocal, ${produce.toLowerCase()} ${cycle(MANNERS, round)}`, 'starter', 12.5, 5.65, {
      detail: `${grower}, 350 g`,
      packs: [['Carton de 12', 12]],
      tags: ['homemade', 'season'],
    })
    if (round % 8 === 7)
      yield timer(`Salon n° ${(round + 1) / 8}`, 30, [
        { price: 9, from: 0 },
        { price: 7.5, from: 120 },
      ])
  }
}

function cycle<T>(list: readonly T[], turn: number): T {
  return list[turn % list.length]!
}
