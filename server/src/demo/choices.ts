/** What a guest may choose with a dish. Ids of the groups and of their options are their places in this list. */
export interface Choice {
  name: string
  type: 0 | 1 // D3.5: 1 is one choice, 0 several
  min: number
  max: number
  options: Option[]
}

interface Option {
  name: string
  price: number
  /** What it takes from the shelf, and how much. */
  takes?: readonly [name: string, quantity: number]
  max?: number
}

export const choices = {
  milk: one('Lait', [
    { name: 'Lait entier', price: 0, takes: ['Lait entier', 0.15] },
    { name: 'Avoine', price: 0.5, takes: ['Boisson d’avoine', 0.15] },
    { name: 'Sans lait', price: 0 },
  ]),
  cup: several('Avec le café', 2, [
    { name: 'Double dose', price: 1.2, takes: ['Café en grains', 0.008] },
    { name: 'Miel', price: 0.6, takes: ['Miel de châtaignier', 0.012] },
    { name: 'Crème fouettée', price: 0.9, takes: ['Crème crue d’Isigny', 0.03] },
  ]),
  serving: one('Service', [
    { name: 'Au comptoir', price: 0 },
    { name: 'Réchauffé', price: 0 },
    { name: 'À emporter', price: 0 },
    { name: 'À emporter, boîte consignée', price: 2 },
  ]),
  bread: one('Pain', [
    { name: 'Pain de campagne', price: 0, takes: ['Pain de campagne', 0.05] },
    { name: 'Pain brioché', price: 0.8, takes: ['Pain brioché', 1] },
    { name: 'Sans pain', price: 0 },
  ]),
  eggs: one('Cuisson des œufs', [
    { name: 'Coulants', price: 0 },
    { name: 'Mollets', price: 0 },
    { name: 'Durs', price: 0 },
  ]),
  doneness: one('Cuisson', [
    { name: 'Bleu', price: 0 },
    { name: 'Saignant', price: 0 },
    { name: 'À point', price: 0 },
    { name: 'Bien cuit', price: 0 },
  ]),
  side: one('Garniture', [
    { name: 'Frites maison', price: 0, takes: ['Pommes de terre Agria', 0.25] },
    { name: 'Salade verte', price: 0, takes: ['Laitue batavia', 0.08] },
    { name: 'Purée au beurre', price: 1.5, takes: ['Purée de pommes de terre', 0.2] },
    { name: 'Haricots verts', price: 1.5, takes: ['Haricots verts', 0.15] },
  ]),
  topping: several('Suppléments', 3, [
    { name: 'Œuf au plat', price: 1.8, takes: ['Œufs plein air', 1], max: 2 },
    { name: 'Comté 18 mois', price: 2.4, takes: ['Comté 18 mois', 0.04], max: 2 },
    { name: 'Lard fumé', price: 2.2, takes: ['Lard fumé', 0.04] },
    { name: 'Oignons confits', price: 1.2, takes: ['Oignons jaunes', 0.06] },
  ]),
  sauce: several('Sauces', 2, [
    { name: 'Mayonnaise', price: 0.8, takes: ['Mayonnaise', 0.03] },
    { name: 'Sauce au poivre', price: 1.5, takes: ['Sauce au poivre', 0.05] },
    { name: 'Harissa', price: 0.8, takes: ['Harissa', 0.015] },
  ]),
  scoop: several('Parfums', 3, [
    { name: 'Vanille', price: 0, takes: ['Glace vanille', 0.06], max: 3 },
    { name: 'Fraise', price: 0, takes: ['Sorbet fraise', 0.06], max: 3 },
    { name: 'Crème fouettée', price: 0.9, takes: ['Crème crue d’Isigny', 0.03] },
  ]),
  finish: several('Pour finir', 2, [
    { name: 'Boule de vanille', price: 2, takes: ['Glace vanille', 0.06] },
    { name: 'Caramel au beurre salé', price: 1, takes: ['Caramel au beurre salé', 0.03] },
    { name: 'Crème crue', price: 0.9, takes: ['Crème crue d’Isigny', 0.03] },
  ]),
  wishes: several('Demandes', 4, [
    { name: 'Sans sel ajouté', price: 0 },
    { name: 'Sans ail', price: 0 },
    { name: 'Sans oignon', price: 0 },
    { name: 'Allergie, voir avec la salle', price: 0 },
  ]),
} satisfies Record<string, Choice>

function one(name: string, options: Option[]): Choice {
  return { name, type: 1, min: 1, max: 1, options }
}

function several(name: string, max: number, options: Option[]): Choice {
  return { name, type: 0, min: 0, max, options }
}
