import type { Choice, Section } from './starter.ts'

const MILK: Choice = {
  name: ['Milk and more', 'Lait et suppléments'],
  modifiers: [
    { name: ['Oat milk', 'Lait d’avoine'], price: 0.5 },
    { name: ['Soy milk', 'Lait de soja'], price: 0.5 },
    { name: ['Extra shot', 'Dose supplémentaire'], price: 0.8 },
    { name: ['Decaffeinated', 'Décaféiné'] },
  ],
}

const EGGS: Choice = {
  name: ['Eggs', 'Œufs'],
  required: true,
  modifiers: [{ name: ['Fried', 'Au plat'] }, { name: ['Scrambled', 'Brouillés'] }, { name: ['Poached', 'Pochés'] }],
}

export const CAFE: readonly Section[] = [
  {
    name: ['Coffee and tea', 'Cafés et thés'],
    color: '#6F4E37',
    goods: 'coffee',
    station: 'bar',
    dishes: [
      { name: ['Espresso', 'Espresso'], price: 2.2, choices: [MILK] },
      { name: ['Double espresso', 'Double espresso'], price: 3.2, choices: [MILK] },
      { name: ['Americano', 'Café allongé'], price: 2.6, choices: [MILK] },
      {
        name: ['Cappuccino', 'Cappuccino'],
        sizes: [
          { name: ['Regular', 'Normal'], price: 3.8 },
          { name: ['Large', 'Grand'], price: 4.6 },
        ],
        choices: [MILK],
      },
      {
        name: ['Latte', 'Café latte'],
        sizes: [
          { name: ['Regular', 'Normal'], price: 4 },
          { name: ['Large', 'Grand'], price: 4.8 },
        ],
        choices: [MILK],
      },
      { name: ['Flat white', 'Flat white'], price: 4.2, choices: [MILK] },
      { name: ['Hot chocolate', 'Chocolat chaud'], price: 4.2, choices: [MILK] },
      { name: ['Tea', 'Thé'], price: 3.2 },
      { name: ['Herbal tea', 'Infusion'], price: 3.2 },
    ],
  },
  {
    name: ['Cold drinks', 'Boissons fraîches'],
    color: '#00897B',
    goods: 'soft_drink',
    bought: true,
    dishes: [
      { name: ['Still water 50 cl', 'Eau plate 50 cl'], price: 2 },
      { name: ['Sparkling water 50 cl', 'Eau gazeuse 50 cl'], price: 2.2 },
      { name: ['Orange juice 25 cl', 'Jus d’orange 25 cl'], price: 3.5 },
      { name: ['Apple juice 25 cl', 'Jus de pomme 25 cl'], price: 3.5 },
      { name: ['Lemonade 33 cl', 'Limonade 33 cl'], price: 3.2 },
      { name: ['Cola 33 cl', 'Cola 33 cl'], price: 3.2 },
    ],
  },
  {
    name: ['Breakfast', 'Petit-déjeuner'],
    color: '#FBC02D',
    goods: 'meal',
    station: 'kitchen',
    dishes: [
      { name: ['Eggs on toast', 'Œufs et pain grillé'], price: 7.5, cooking: 8, choices: [EGGS] },
      { name: ['Pancakes with syrup', 'Pancakes au sirop'], price: 7, cooking: 10 },
      { name: ['Porridge with fruit', 'Porridge aux fruits'], price: 6, cooking: 6 },
      { name: ['Granola and yoghurt', 'Granola et yaourt'], price: 6, goods: 'cold', cooking: 3 },
    ],
  },
  {
    name: ['Pastries and cakes', 'Viennoiseries et gâteaux'],
    color: '#AD1457',
    goods: 'pastry',
    dishes: [
      { name: ['Croissant', 'Croissant'], price: 1.8 },
      { name: ['Chocolate croissant', 'Pain au chocolat'], price: 2.1 },
      { name: ['Cinnamon roll', 'Roulé à la cannelle'], price: 3.2 },
      { name: ['Cookie', 'Cookie'], price: 2.5 },
      { name: ['Carrot cake', 'Gâteau aux carottes'], price: 4.5 },
      { name: ['Cheesecake', 'Cheesecake'], price: 5 },
    ],
  },
  {
    name: ['Sandwiches and salads', 'Sandwichs et salades'],
    color: '#7CB342',
    goods: 'cold',
    station: 'kitchen',
    dishes: [
      { name: ['Ham and cheese sandwich', 'Sandwich jambon-fromage'], price: 6, cooking: 5 },
      { name: ['Vegetable sandwich', 'Sandwich aux légumes'], price: 6, cooking: 5 },
      { name: ['Toasted cheese sandwich', 'Croque-monsieur'], price: 7, goods: 'meal', cooking: 8 },
      { name: ['Salad of the day', 'Salade du jour'], price: 8.5, cooking: 6 },
      { name: ['Soup of the day', 'Soupe du jour'], price: 6, goods: 'meal', cooking: 5 },
    ],
  },
]
