import type { Choice, Section } from './starter.ts'

const COOKED: Choice = {
  name: ['How would you like it?', 'Cuisson'],
  required: true,
  modifiers: [{ name: ['Rare', 'Saignant'] }, { name: ['Medium', 'À point'] }, { name: ['Well done', 'Bien cuit'] }],
}

const SIDE: Choice = {
  name: ['Side', 'Accompagnement'],
  required: true,
  modifiers: [
    { name: ['Chips', 'Frites'] },
    { name: ['Rice', 'Riz'] },
    { name: ['Vegetables', 'Légumes'] },
    { name: ['Green salad', 'Salade verte'] },
  ],
}

const BURGER: Choice = {
  name: ['Extras', 'Suppléments'],
  modifiers: [
    { name: ['Cheese', 'Fromage'], price: 1.5 },
    { name: ['Egg', 'Œuf'], price: 1.5 },
    { name: ['Bacon', 'Bacon'], price: 2 },
    { name: ['No onions', 'Sans oignons'] },
  ],
}

export const RESTAURANT: readonly Section[] = [
  {
    name: ['Starters', 'Entrées'],
    course: 1,
    color: '#7CB342',
    goods: 'meal',
    station: 'kitchen',
    dishes: [
      { name: ['Soup of the day', 'Soupe du jour'], price: 7, cooking: 6 },
      { name: ['Green salad', 'Salade verte'], price: 6.5, goods: 'cold', cooking: 5 },
      { name: ['Tomatoes and mozzarella', 'Tomates et mozzarella'], price: 9, goods: 'cold', cooking: 5 },
      { name: ['Mixed plate to share', 'Planche à partager'], price: 16, goods: 'cold', cooking: 10 },
    ],
  },
  {
    name: ['Mains', 'Plats'],
    course: 2,
    color: '#B71C1C',
    goods: 'meal',
    station: 'kitchen',
    dishes: [
      { name: ['Steak', 'Steak'], price: 22, cooking: 15, choices: [COOKED, SIDE] },
      { name: ['Burger', 'Burger'], price: 16, cooking: 14, choices: [COOKED, SIDE, BURGER] },
      { name: ['Roast chicken', 'Poulet rôti'], price: 17, cooking: 18, choices: [SIDE] },
      { name: ['Fish of the day', 'Poisson du jour'], price: 20, cooking: 16, choices: [SIDE] },
      { name: ['Pasta of the day', 'Pâtes du jour'], price: 14, cooking: 12 },
      { name: ['Vegetable curry', 'Curry de légumes'], price: 15, cooking: 12 },
    ],
  },
  {
    name: ['Sides', 'Accompagnements'],
    course: 2,
    color: '#FBC02D',
    goods: 'meal',
    station: 'kitchen',
    dishes: [
      { name: ['Chips', 'Frites'], price: 4.5, cooking: 8 },
      { name: ['Rice', 'Riz'], price: 4, cooking: 5 },
      { name: ['Vegetables', 'Légumes'], price: 5, cooking: 6 },
      { name: ['Bread', 'Pain'], price: 2, goods: 'pastry' },
    ],
  },
  {
    name: ['Desserts', 'Desserts'],
    course: 3,
    color: '#AD1457',
    goods: 'cold',
    station: 'kitchen',
    dishes: [
      { name: ['Chocolate cake', 'Gâteau au chocolat'], price: 7.5, cooking: 6 },
      { name: ['Crème caramel', 'Crème caramel'], price: 6.5, cooking: 4 },
      { name: ['Fruit salad', 'Salade de fruits'], price: 6, cooking: 4 },
      { name: ['Ice cream, two scoops', 'Glace, deux boules'], price: 6, cooking: 4 },
    ],
  },
  {
    name: ['Hot drinks', 'Boissons chaudes'],
    color: '#6F4E37',
    goods: 'coffee',
    station: 'bar',
    dishes: [
      { name: ['Espresso', 'Espresso'], price: 2.4 },
      { name: ['Cappuccino', 'Cappuccino'], price: 4 },
      { name: ['Tea', 'Thé'], price: 3.4 },
    ],
  },
  {
    name: ['Soft drinks', 'Boissons'],
    color: '#00897B',
    goods: 'soft_drink',
    station: 'bar',
    bought: true,
    dishes: [
      { name: ['Still water 75 cl', 'Eau plate 75 cl'], price: 5 },
      { name: ['Sparkling water 75 cl', 'Eau gazeuse 75 cl'], price: 5.5 },
      { name: ['Orange juice', 'Jus d’orange'], price: 4 },
      { name: ['Lemonade', 'Limonade'], price: 4 },
      { name: ['Cola', 'Cola'], price: 4 },
    ],
  },
  {
    name: ['Beer and wine', 'Bières et vins'],
    color: '#5E35B1',
    goods: 'alcohol',
    station: 'bar',
    bought: true,
    dishes: [
      {
        name: ['Draught beer', 'Bière pression'],
        sizes: [
          { name: ['25 cl', '25 cl'], price: 4 },
          { name: ['50 cl', '50 cl'], price: 7 },
        ],
      },
      {
        name: ['House red wine', 'Vin rouge de la maison'],
        sizes: [
          { name: ['Glass', 'Verre'], price: 5 },
          { name: ['Bottle', 'Bouteille'], price: 24 },
        ],
      },
      {
        name: ['House white wine', 'Vin blanc de la maison'],
        sizes: [
          { name: ['Glass', 'Verre'], price: 5 },
          { name: ['Bottle', 'Bouteille'], price: 24 },
        ],
      },
      { name: ['Aperitif', 'Apéritif'], price: 7 },
    ],
  },
]
