import { bought, dish, type Item, ingredient, preparation, timer } from './item.ts'

// A dish names what goes into it, so whatever it names stands above it. Costs are per unit and coarse on purpose, so
// that no cost times a quantity has a fifth decimal: an ingredient costs whole tenths and is weighed to the gram,
// a preparation is made of tenths of a unit and weighed to ten grams.
export const menu: readonly Item[] = [
  // Le matin
  bought('Limonade artisanale', 'drink', 4.2, 1.35, {
    detail: 'citron de Menton, bouteille 33 cl',
    packs: [['Caisse de 24', 24]],
    tags: ['vegan', 'glutenFree'],
  }),
  bought('Kombucha gingembre', 'drink', 5.5, 2.1, {
    detail: 'fermenté à Pantin, bouteille 33 cl',
    packs: [['Caisse de 12', 12]],
    tags: ['vegan', 'organic'],
  }),
  bought('Jus de pomme fermier', 'drink', 4.5, 1.6, {
    detail: 'trouble, bouteille 25 cl',
    packs: [
      ['Caisse de 12', 12],
      ['Palette', 480],
    ],
    tags: ['vegan', 'glutenFree', 'organic'],
  }),
  ingredient('Café en grains', 'kg', 16.4, [['Sac 5 kg', 5]], { detail: 'Huehuetenango, torréfié à la maison' }),
  ingredient('Lait entier', 'l', 1.1, [['Bidon 10 l', 10]]),
  ingredient('Boisson d’avoine', 'l', 1.9, [['Carton de 6', 6]], { tags: ['vegan'] }),
  ingredient('Crème crue d’Isigny', 'l', 4.6, [['Seau 5 l', 5]]),
  ingredient('Miel de châtaignier', 'kg', 13.5, [['Seau 5 kg', 5]], { tags: ['organic'] }),
  dish('Espresso', 'breakfast', 2.4, {
    recipe: { 'Café en grains': 0.008 },
    choices: ['serving', 'cup'],
    tags: ['vegan'],
  }),
  dish('Café crème', 'breakfast', 3.9, {
    recipe: { 'Café en grains': 0.008, 'Lait entier': 0.12 },
    choices: ['milk', 'cup'],
  }),
  dish('Cappuccino', 'breakfast', 4.4, {
    recipe: { 'Café en grains': 0.016, 'Lait entier': 0.16 },
    choices: ['milk', 'cup'],
    tags: ['vegetarian'],
  }),
  ingredient('Farine de blé T65', 'kg', 0.9, [['Sac 25 kg', 25]]),
  ingredient('Beurre AOP Charentes-Poitou', 'kg', 9.8, [['Motte 10 kg', 10]]),
  ingredient('Sucre de canne', 'kg', 1.4, [['Sac 10 kg', 10]]),
  ingredient('Œufs plein air', 'piece', 0.3, [
    ['Plateau de 30', 30],
    ['Caisse de 360', 360],
  ]),
  ingredient('Chocolat noir 70 %', 'kg', 12.4, [['Sachet 3 kg', 3]]),
  preparation('Pâte feuilletée', 'kg', {
    'Farine de blé T65': 0.6,
    'Beurre AOP Charentes-Poitou': 0.4,
    'Lait entier': 0.1,
  }),
  dish('Croissant au beurre', 'breakfast', 2.2, {
    recipe: { 'Pâte feuilletée': 0.07 },
    choices: ['serving'],
    tags: ['homemade', 'vegetarian'],
  }),
  dish('Pain au chocolat', 'breakfast', 2.5, {
    recipe: { 'Pâte feuilletée': 0.07, 'Chocolat noir 70 %': 0.015 },
    choices: ['serving'],
    tags: ['homemade', 'vegetarian'],
  }),
  dish('Chocolat chaud à l’ancienne', 'breakfast', 5.2, {
    recipe: { 'Chocolat noir 70 %': 0.04, 'Lait entier': 0.2, 'Crème crue d’Isigny': 0.02 },
    choices: ['serving', 'milk'],
    tags: ['vegetarian', 'glutenFree'],
  }),
  ingredient('Thé vert gunpowder', 'kg', 21.5, [['Boîte 1 kg', 1]]),
  ingredient('Menthe fraîche', 'kg', 14.2, [['Botte 100 g', 0.1]], { tags: ['season'] }),
  dish('شاي بالنعناع', 'breakfast', 4, {
    recipe: { 'Thé vert gunpowder': 0.006, 'Menthe fraîche': 0.01, 'Sucre de canne': 0.02 },
    detail: 'thé à la menthe',
    choices: ['serving'],
    tags: ['vegan'],
  }),
  ingredient('Pain de campagne', 'kg', 4.2, [['Miche 2 kg', 2]], { detail: 'levain, four à bois' }),
  ingredient('Pain brioché', 'piece', 0.6, [['Sachet de 6', 6]]),
  ingredient('Confiture d’abricots', 'kg', 6.5, [['Seau 3 kg', 3]]),
  dish('Tartine beurre-confiture', 'breakfast', 3.8, {
    recipe: { 'Pain de campagne': 0.12, 'Beurre AOP Charentes-Poitou': 0.02, 'Confiture d’abricots': 0.04 },
    choices: ['serving', 'bread'],
    tags: ['vegetarian'],
  }),
  ingredient('Yaourt de brebis', 'kg', 4.8, [['Seau 5 kg', 5]]),
  ingredient('Müesli croquant', 'kg', 7.8, [['Sac 5 kg', 5]]),
  dish('Müesli, yaourt de brebis et miel', 'breakfast', 7.5, {
    recipe: { 'Yaourt de brebis': 0.18, 'Müesli croquant': 0.05, 'Miel de châtaignier': 0.015 },
    choices: ['serving'],
    tags: ['vegetarian', 'organic'],
  }),
  ingredient('Lard fumé', 'kg', 11.6, [['Poitrine 4 kg', 4]]),
  ingredient('Comté 18 mois', 'kg', 18.9, [['Quart de meule', 9.5]]),
  ingredient('Oignons jaunes', 'kg', 1.3, [['Filet 10 kg', 10]]),
  dish('Œufs cocotte au lard', 'breakfast', 9.5, {
    recipe: { 'Œufs plein air': 2, 'Lard fumé': 0.05, 'Crème crue d’Isigny': 0.05, 'Pain de campagne': 0.08 },
    choices: ['eggs', 'topping', 'bread'],
    tags: ['homemade'],
  }),

  // Pour commencer
  ingredient('Huile d’olive', 'l', 8.6, [['Bidon 5 l', 5]], { detail: 'vierge extra, Kalamata' }),
  ingredient('Vinaigre de cidre', 'l', 2.8, [['Bidon 5 l', 5]]),
  ingredient('Moutarde de Dijon', 'kg', 3.4, [['Seau 5 kg', 5]]),
  preparation('Vinaigrette', 'l', { 'Huile d’olive': 0.6, 'Vinaigre de cidre': 0.3, 'Moutarde de Dijon': 0.1 }),
  ingredient('Laitue batavia', 'kg', 2.9, [['Cagette 6 kg', 6]], { tags: ['season'] }),
  ingredient('Chèvre frais', 'kg', 15.8, [['Plateau 1,2 kg', 1.2]]),
  dish('Salade de chèvre chaud', 'starter', 11.5, {
    recipe: { 'Laitue batavia': 0.1, 'Chèvre frais': 0.08, 'Pain de campagne': 0.06, Vinaigrette: 0.03 },
    choices: ['topping', 'wishes'],
    tags: ['vegetarian'],
  }),
  ingredient('Tomates anciennes', 'kg', 3.6, [['Cagette 6 kg', 6]], { tags: ['season'] }),
  ingredient('Concombre', 'kg', 1.7, [['Cagette 5 kg', 5]]),
  ingredient('Feta', 'kg', 10.4, [['Fût 8 kg', 8]], { detail: 'Φέτα, affinée en fût' }),
  dish('Χωριάτικη', 'starter', 10.9, {
    recipe: { 'Tomates anciennes': 0.15, Concombre: 0.08, Feta: 0.08, 'Huile d’olive': 0.02 },
    detail: 'salade grecque',
    choices: ['wishes'],
    tags: ['vegetarian', 'glutenFree'],
  }),
  ingredient('Pois chiches', 'kg', 2.2, [['Sac 10 kg', 10]]),
  ingredient('Tahini', 'kg', 9.4, [['Seau 3 kg', 3]]),
  ingredient('Citrons', 'kg', 2.6, [['Cagette 6 kg', 6]]),
  preparation('Houmous', 'kg', { 'Pois chiches': 0.6, Tahini: 0.2, Citrons: 0.1, 'Huile d’olive': 0.1 }),
  dish('חומוס', 'starter', 8.5, {
    recipe: { Houmous: 0.16, 'Huile d’olive': 0.01, 'Pain de campagne': 0.08 },
    detail: 'houmous, pain grillé',
    sizes: [
      { name: 'Pour un', price: 8.5, portions: 1 },
      { name: 'Pour deux', price: 15, portions: 2 },
    ],
    choices: ['bread', 'wishes'],
    tags: ['vegan', 'sharing', 'homemade'],
  }),
  dish('Soupe à l’oignon gratinée', 'starter', 9.9, {
    recipe: {
      'Oignons jaunes': 0.25,
      'Comté 18 mois': 0.04,
      'Pain de campagne': 0.05,
      'Beurre AOP Charentes-Poitou': 0.015,
    },
    choices: ['bread', 'wishes'],
    tags: ['homemade', 'vegetarian'],
  }),
  ingredient('Huile de tournesol', 'l', 2.1, [['Bidon 10 l', 10]]),
  preparation('Mayonnaise', 'kg', { 'Huile de tournesol': 0.8, 'Œufs plein air': 3, 'Moutarde de Dijon': 0.1 }),
  dish('Œuf mayonnaise', 'starter', 5.9, {
    recipe: { 'Œufs plein air': 2, Mayonnaise: 0.04, 'Laitue batavia': 0.02 },
    choices: ['eggs', 'wishes'],
    tags: ['homemade', 'vegetarian', 'glutenFree'],
  }),
  ingredient('Betterave', 'kg', 1.6, [['Filet 10 kg', 10]], { tags: ['season'] }),
  ingredient('Chou blanc', 'kg', 1.2, [['Filet 10 kg', 10]]),
  dish('Борщ', 'starter', 9.2, {
    recipe: { Betterave: 0.18, 'Chou blanc': 0.1, 'Oignons jaunes': 0.05, 'Crème crue d’Isigny': 0.02 },
    detail: 'soupe de betterave, crème crue',
    choices: ['bread', 'wishes'],
    tags: ['vegetarian', 'season'],
  }),
  ingredient('Porc fermier haché', 'kg', 8.9, [['Barquette 2 kg', 2]]),
  ingredient('Pâte à raviolis', 'kg', 5.4, [['Paquet 1 kg', 1]]),
  dish('餃子 Gyoza maison', 'starter', 8.9, {
    recipe: { 'Porc fermier haché': 0.09, 'Chou blanc': 0.05, 'Pâte à raviolis': 0.06, 'Huile de tournesol': 0.01 },
    detail: 'raviolis grillés',
    sizes: [
      { name: '6 pièces', price: 8.9, portions: 1 },
      { name: '12 pièces', price: 16.5, portions: 2 },
      { name: '18 pièces', price: 23.5, portions: 3 },
    ],
    choices: ['bread', 'wishes'],
    tags: ['homemade', 'sharing'],
  }),
  ingredient('Huîtres de Cancale n° 3', 'piece', 0.8, [['Bourriche de 48', 48]], { tags: ['season'] }),
  dish('Huîtres de Cancale', 'starter', 7.5, {
    recipe: { 'Huîtres de Cancale n° 3': 3, Citrons: 0.03, 'Pain de campagne': 0.03 },
    detail: 'n° 3, citron, pain de seigle',
    sizes: [
      { name: 'Les 6', price: 14.5, portions: 2 },
      { name: 'Les 9', price: 21, portions: 3 },
      { name: 'La douzaine', price: 27, portions: 4 },
    ],
    choices: ['wishes'],
    tags: ['season'],
  }),

  // Les plats
  ingredient('Pommes de terre Agria', 'kg', 1.1, [['Sac 25 kg', 25]]),
  ingredient('Haricots verts', 'kg', 4.7, [['Cagette 5 kg', 5]]),
  preparation('Purée de pommes de terre', 'kg', {
    'Pommes de terre Agria': 0.8,
    'Beurre AOP Charentes-Poitou': 0.1,
    'Lait entier': 0.2,
  }),
  ingredient('Poivre de Kampot', 'kg', 62.5, [['Sachet 500 g', 0.5]]),
  ingredient('Piments', 'kg', 7.3, [['Barquette 1 kg', 1]]),
  preparation('Sauce au poivre', 'l', { 'Crème crue d’Isigny': 0.9, 'Poivre de Kampot': 0.1 }),
  preparation('Harissa', 'kg', { Piments: 0.8, 'Huile d’olive': 0.2 }, { tags: ['homemade', 'vegan', 'spicy'] }),
  ingredient('Faux-filet de bœuf', 'kg', 24.8, [['Pièce sous vide 4 kg', 4]], {
    detail: 'race Aubrac, maturé 21 jours',
  }),
  dish('Steak frites', 'main', 21.5, {
    recipe: { 'Faux-filet de bœuf': 0.2, 'Pommes de terre Agria': 0.25, 'Huile de tournesol': 0.03 },
    detail: 'faux-filet d’Aubrac, frites maison',
    choices: ['doneness', 'side', 'sauce', 'wishes'],
  }),
  ingredient('Bœuf à tartare', 'kg', 19.6, [['Barquette 2 kg', 2]]),
  dish('Tartare au couteau', 'main', 18.9, {
    recipe: { 'Bœuf à tartare': 0.18, 'Œufs plein air': 1, 'Moutarde de Dijon': 0.01, 'Pommes de terre Agria': 0.25 },
    choices: ['side', 'bread', 'wishes'],
    tags: ['homemade'],
  }),
  dish('Burger du Comptoir', 'main', 17.5, {
    recipe: { 'Bœuf à tartare': 0.15, 'Pain brioché': 1, 'Comté 18 mois': 0.03, 'Tomates anciennes': 0.04 },
    detail: 'comté fondu, oignons confits',
    choices: ['doneness', 'side', 'topping', 'wishes'],
  }),
  preparation('Béchamel', 'l', {
    'Lait entier': 0.9,
    'Beurre AOP Charentes-Poitou': 0.1,
    'Farine de blé T65': 0.1,
  }),
  ingredient('Jambon de Paris', 'kg', 12.7, [['Jambon entier', 6.5]]),
  dish('Croque-monsieur', 'main', 11.9, {
    recipe: { 'Pain de campagne': 0.12, 'Jambon de Paris': 0.07, 'Comté 18 mois': 0.05, Béchamel: 0.06 },
    choices: ['side', 'wishes'],
    tags: ['homemade'],
  }),
  dish('Croque-madame', 'main', 13.4, {
    recipe: {
      'Pain de campagne': 0.12,
      'Jambon de Paris': 0.07,
      'Comté 18 mois': 0.05,
      Béchamel: 0.06,
      'Œufs plein air': 1,
    },
    choices: ['side', 'wishes'],
    tags: ['homemade'],
  }),
  ingredient('Moules de bouchot', 'kg', 4.9, [['Sac 15 kg', 15]], { tags: ['season'] }),
  dish('Moules marinières', 'main', 16.5, {
    recipe: {
      'Moules de bouchot': 0.6,
      'Oignons jaunes': 0.04,
      'Crème crue d’Isigny': 0.04,
      'Pommes de terre Agria': 0.2,
    },
    sizes: [
      { name: 'La cocotte', price: 16.5, portions: 1 },
      { name: 'La marmite pour deux', price: 30, portions: 2 },
    ],
    choices: ['sauce', 'bread', 'wishes'],
    tags: ['season', 'sharing'],
  }),
  ingredient('Dos de cabillaud', 'kg', 18.2, [['Caisse 3 kg', 3]]),
  dish('Dos de cabillaud, beurre blanc', 'main', 22.5, {
    recipe: { 'Dos de cabillaud': 0.18, 'Beurre AOP Charentes-Poitou': 0.03, 'Haricots verts': 0.12 },
    choices: ['side', 'wishes'],
    tags: ['glutenFree'],
  }),
  ingredient('Poulet fermier', 'piece', 9.6, [['Caisse de 6', 6]], { detail: 'Loué, 1,4 kg' }),
  dish('Poulet rôti à partager', 'main', 42, {
    recipe: { 'Poulet fermier': 1, 'Pommes de terre Agria': 0.6, 'Beurre AOP Charentes-Poitou': 0.04 },
    choices: ['side', 'sauce', 'wishes'],
    tags: ['sharing'],
  }),
  ingredient('Agneau haché', 'kg', 15.3, [['Barquette 2 kg', 2]]),
  dish('İzmir köfte', 'main', 17.9, {
    recipe: { 'Agneau haché': 0.16, 'Pommes de terre Agria': 0.15, 'Tomates anciennes': 0.12, Piments: 0.01 },
    detail: 'boulettes d’agneau, tomate et piment',
    choices: ['side', 'sauce', 'wishes'],
    tags: ['spicy', 'homemade'],
  }),
  ingredient('Riz carnaroli', 'kg', 3.9, [['Sac 5 kg', 5]]),
  ingredient('Cèpes', 'kg', 28.4, [['Panier 2 kg', 2]], { tags: ['season'] }),
  dish('Risotto aux cèpes', 'main', 19.5, {
    recipe: { 'Riz carnaroli': 0.1, Cèpes: 0.06, 'Comté 18 mois': 0.03, 'Beurre AOP Charentes-Poitou': 0.02 },
    choices: ['wishes'],
    tags: ['vegetarian', 'glutenFree', 'season'],
    unavailable: true,
  }),
  ingredient('Aubergines', 'kg', 2.3, [['Cagette 5 kg', 5]]),
  ingredient('Courgettes', 'kg', 2.1, [['Cagette 5 kg', 5]]),
  preparation('Ratatouille', 'kg', {
    'Tomates anciennes': 0.5,
    Aubergines: 0.3,
    Courgettes: 0.3,
    'Huile d’olive': 0.1,
  }),
  dish('Ratatouille, œuf mollet', 'main', 14.5, {
    recipe: { Ratatouille: 0.3, 'Œufs plein air': 1, 'Pain de campagne': 0.06 },
    choices: ['topping', 'bread', 'wishes'],
    tags: ['vegetarian', 'homemade', 'season'],
  }),
  ingredient('Semoule fine', 'kg', 2.4, [['Sac 10 kg', 10]]),
  dish('Couscous du jeudi', 'main', 18.5, {
    recipe: { 'Semoule fine': 0.12, 'Pois chiches': 0.06, 'Agneau haché': 0.1, Courgettes: 0.15, Harissa: 0.02 },
    detail: 'كسكس, bouillon et harissa',
    choices: ['sauce', 'wishes'],
    tags: ['spicy', 'homemade'],
  }),

  // Les desserts
  ingredient('Glace vanille', 'kg', 8.3, [['Bac 2,5 kg', 2.5]]),
  ingredient('Sorbet fraise', 'kg', 7.9, [['Bac 2,5 kg', 2.5]], { tags: ['vegan'] }),
  preparation('Caramel au beurre salé', 'kg', {
    'Sucre de canne': 0.6,
    'Beurre AOP Charentes-Poitou': 0.2,
    'Crème crue d’Isigny': 0.3,
  }),
  dish('Coupe glacée', 'dessert', 3.5, {
    recipe: { 'Glace vanille': 0.06, 'Müesli croquant': 0.005 },
    sizes: [
      { name: '1 boule', price: 3.5, portions: 1 },
      { name: '2 boules', price: 6, portions: 2 },
      { name: '3 boules', price: 8, portions: 3 },
    ],
    choices: ['scoop'],
    tags: ['vegetarian'],
  }),
  dish('Crème brûlée', 'dessert', 7.9, {
    recipe: { 'Crème crue d’Isigny': 0.12, 'Œufs plein air': 1, 'Sucre de canne': 0.03 },
    choices: ['finish'],
    tags: ['homemade', 'vegetarian', 'glutenFree'],
  }),
  dish('Mousse au chocolat', 'dessert', 7.5, {
    recipe: { 'Chocolat noir 70 %': 0.05, 'Œufs plein air': 2, 'Sucre de canne': 0.01 },
    choices: ['finish'],
    tags: ['homemade', 'glutenFree'],
  }),
  ingredient('Pommes reinettes', 'kg', 2.7, [['Cagette 8 kg', 8]], { tags: ['season'] }),
  dish('Tarte Tatin', 'dessert', 8.5, {
    recipe: { 'Pommes reinettes': 0.22, 'Pâte feuilletée': 0.06, 'Caramel au beurre salé': 0.03 },
    choices: ['finish'],
    tags: ['homemade', 'season'],
  }),
  dish('Île flottante', 'dessert', 7.2, {
    recipe: { 'Œufs plein air': 2, 'Lait entier': 0.15, 'Caramel au beurre salé': 0.02 },
    choices: ['finish'],
    tags: ['homemade', 'vegetarian'],
  }),
  dish('Crêpe au caramel', 'dessert', 6.8, {
    recipe: { 'Farine de blé T65': 0.05, 'Lait entier': 0.1, 'Œufs plein air': 1, 'Caramel au beurre salé': 0.04 },
    choices: ['finish'],
    tags: ['homemade', 'vegetarian'],
  }),
  ingredient('Rhum ambré', 'l', 15.7, [['Bouteille 70 cl', 0.7]], { tags: ['alcohol'] }),
  dish('Baba au rhum', 'dessert', 9.2, {
    recipe: { 'Farine de blé T65': 0.05, 'Œufs plein air': 1, 'Rhum ambré': 0.04, 'Crème crue d’Isigny': 0.04 },
    choices: ['finish'],
    tags: ['homemade', 'alcohol'],
  }),

  // La cave et le comptoir
  bought('Sancerre « Les Tilleuls »', 'drink', 34, 13.2, {
    detail: 'blanc, 2023',
    sizes: [
      { name: 'Demie 37,5 cl', price: 19, cost: 7.4 },
      { name: 'Bouteille 75 cl', price: 34, cost: 13.2 },
      { name: 'Magnum 150 cl', price: 72, cost: 28.5 },
    ],
    packs: [['Caisse de 6', 6]],
    tax: 'full',
    tags: ['alcohol', 'organic'],
  }),
  bought('Morgon « Côte du Merle »', 'drink', 29, 10.6, {
    detail: 'rouge, 2022',
    sizes: [
      { name: 'Demie 37,5 cl', price: 16, cost: 5.9 },
      { name: 'Bouteille 75 cl', price: 29, cost: 10.6 },
    ],
    packs: [['Caisse de 6', 6]],
    tax: 'full',
    tags: ['alcohol'],
  }),
  bought('Bandol rosé « L’Aïoli »', 'drink', 32, 12.1, {
    detail: '2024',
    sizes: [
      { name: 'Bouteille 75 cl', price: 32, cost: 12.1 },
      { name: 'Magnum 150 cl', price: 66, cost: 25.4 },
    ],
    packs: [['Caisse de 6', 6]],
    tax: 'full',
    tags: ['alcohol', 'season'],
  }),
  bought('Crémant de Loire', 'drink', 31, 11.4, {
    detail: 'brut, méthode traditionnelle',
    packs: [['Caisse de 6', 6]],
    tax: 'full',
    tags: ['alcohol'],
  }),
  bought('Bière blonde de l’Écluse', 'drink', 6.2, 2.05, {
    detail: 'brassée au bord du canal',
    sizes: [
      { name: '33 cl', price: 6.2, cost: 2.05 },
      { name: '75 cl', price: 12.5, cost: 4.35 },
    ],
    packs: [
      ['Caisse de 24', 24],
      ['Fût 30 l', 90],
    ],
    tax: 'full',
    tags: ['alcohol'],
  }),
  bought('Žatecký ležák', 'drink', 5.8, 1.85, {
    detail: 'pils, bouteille 50 cl',
    packs: [['Caisse de 20', 20]],
    tax: 'full',
    tags: ['alcohol'],
  }),
  bought('Cidre fermier', 'drink', 14, 4.6, {
    detail: 'demi-sec, bouteille 75 cl',
    packs: [['Caisse de 6', 6]],
    tax: 'full',
    tags: ['alcohol', 'organic'],
  }),
  bought('Café moulu du Comptoir', 'breakfast', 8.5, 4.15, {
    detail: 'à emporter',
    sizes: [
      { name: 'Sachet 250 g', price: 8.5, cost: 4.15 },
      { name: 'Sachet 1 kg', price: 29, cost: 16.45 },
    ],
    packs: [['Carton de 10', 10]],
    tags: ['organic'],
  }),
  bought('Nectar d’abricot', 'drink', 4.6, 1.7, {
    detail: 'bergeron, bouteille 25 cl',
    packs: [['Caisse de 12', 12]],
    tags: ['vegan', 'glutenFree'],
  }),
  bought('Λεμονάδα', 'drink', 4.4, 1.5, {
    detail: 'limonade grecque, 25 cl',
    packs: [['Caisse de 24', 24]],
    tags: ['vegan'],
  }),
  bought('Eau pétillante', 'drink', 4.9, 0.95, {
    sizes: [
      { name: '50 cl', price: 3.6, cost: 0.65 },
      { name: '1 l', price: 4.9, cost: 0.95 },
    ],
    packs: [['Casier de 12', 12]],
    tags: ['vegan', 'glutenFree'],
  }),
  bought('緑茶 Thé glacé', 'drink', 4.8, 1.45, {
    detail: 'sencha, sans sucre, 33 cl',
    packs: [['Caisse de 24', 24]],
    tags: ['vegan', 'organic'],
  }),
  timer('Salon karaoké « La Sirène »', 30, [
    { price: 14, from: 0 },
    { price: 12, from: 120 },
    { price: 10, from: 240 },
  ]),
  timer('Table de ping-pong', 15, [
    { price: 2.5, from: 0 },
    { price: 2, from: 60 },
  ]),
  timer('Billard français', 15, [
    { price: 3.5, from: 0 },
    { price: 3, from: 60 },
    { price: 2.5, from: 120 },
  ]),
]
