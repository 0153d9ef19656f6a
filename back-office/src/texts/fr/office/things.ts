import type { settingTexts as englishSettings, thingTexts as englishThings } from '../../en/office/things.ts'

/** Comment on appelle les choses d’un restaurant, par ressource. */
export const thingTexts: typeof englishThings = {
  brand: {
    many: 'Enseigne',
    create: 'Ajouter une enseigne',
    lead: 'Nom, devise, langues de la carte, cagnotte, et ce que tous les établissements ont en commun.',
  },
  venues: {
    many: 'Établissements',
    create: 'Ajouter un établissement',
    lead: 'Chaque lieu avec son adresse, ses horaires, ce qui figure sur l’addition, les commandes et la caisse.',
  },
  halls: { many: 'Salles', create: 'Nouvelle salle', lead: 'Les salles et terrasses où se trouvent les tables.' },
  courses: {
    many: 'Services',
    create: 'Nouveau service',
    lead: 'Ce qui est servi l’un après l’autre à table. Chaque catégorie de la carte peut dire le sien.',
  },
  tables: { many: 'Tables', create: 'Ajouter une table', lead: 'Où les clients s’assoient, par salle.' },
  terminals: {
    many: 'Caisses',
    create: 'Ajouter une caisse',
    lead: 'Les caisses d’un établissement : chacune a un tiroir et ses sessions.',
  },
  printers: {
    many: 'Imprimantes',
    create: 'Nouvelle imprimante',
    lead: 'Où sort le papier : imprimantes de votre réseau, et pages qui montrent ce qui serait imprimé.',
  },
  'print-routes': {
    many: 'Qui imprime quoi',
    create: 'Nouvelle règle',
    lead: 'Quelle imprimante sort les bons d’un poste, les additions et les rapports.',
  },
  stations: {
    many: 'Postes',
    create: 'Ajouter un poste',
    lead: 'Où plats et boissons sont préparés, comme la cuisine et le bar.',
  },
  'sale-types': {
    many: 'Types de vente',
    create: 'Ajouter un type de vente',
    lead: 'Comment vous vendez : sur place, à emporter, en livraison, chacun avec son service.',
  },
  'payment-methods': {
    many: 'Moyens de paiement',
    create: 'Ajouter un moyen de paiement',
    lead: 'Avec quoi les clients paient, et où va cet argent.',
  },
  taxes: { many: 'Taxes', create: 'Ajouter une taxe', lead: 'Les taux, et si les prix les comprennent.' },
  'price-lists': {
    many: 'Listes de prix',
    create: 'Ajouter une liste de prix',
    lead: 'D’autres prix pour certains établissements, moments ou types de vente.',
  },
  reasons: {
    many: 'Motifs',
    create: 'Nouveau motif',
    lead: 'Pourquoi on annule, offre ou ouvre quelque chose : ce que l’équipe choisit.',
  },
  'note-presets': {
    many: 'Notes pour la cuisine',
    create: 'Nouvelle note',
    lead: 'Ce que les serveurs touchent au lieu de l’écrire, comme « sans oignons » ou une allergie aux noix.',
  },
  'customer-groups': {
    many: 'Groupes de clients',
    create: 'Ajouter un groupe',
    lead: 'Des clients qui ont une remise en commun, comme les habitués ou l’équipe.',
  },
  storages: {
    many: 'Réserves',
    create: 'Ajouter une réserve',
    lead: 'Où un établissement garde son stock. Les ventes prennent dans la réserve principale.',
  },
  suppliers: { many: 'Fournisseurs', create: 'Ajouter un fournisseur', lead: 'À qui vous achetez.' },
  units: {
    many: 'Unités',
    create: 'Ajouter une unité',
    lead: 'En quoi les ingrédients sont comptés : pièces, kilogrammes, litres.',
  },
  'finance-categories': {
    many: 'Recettes et dépenses',
    create: 'Ajouter une catégorie',
    lead: 'Pourquoi l’argent entre et sort, en dehors des ventes.',
  },
  users: { many: 'Personnes', create: 'Ajouter une personne', lead: 'Qui travaille ici, dans quel rôle et où.' },
  roles: { many: 'Rôles', create: 'Ajouter un rôle', lead: 'Ce que quelqu’un peut faire.' },
  categories: { many: 'Catégories', create: 'Ajouter une catégorie', lead: 'L’ordre de la carte.' },
  products: { many: 'Produits', create: 'Ajouter un produit', lead: 'Ce que vous vendez et de quoi c’est fait.' },
}

export const settingTexts: typeof englishSettings = {
  title: 'Réglages',
  lead: 'Comment votre restaurant fonctionne : ses lieux, comment il vend, et ce qui figure sur le papier.',
  groups: { place: 'Le restaurant', selling: 'Vendre', stock: 'Clients, stock et argent', more: 'Autres' },
  back: 'Réglages',
  search: 'Chercher',
  searchIn: (many) => `Chercher : ${many}`,
  several: 'Plusieurs à la fois',
  none: 'Aucun résultat',
  noneLead: 'Aucun nom ne contient cela.',
  empty: (many) => `${many} : encore rien`,
  noRead: 'Votre rôle ne permet pas de voir cette liste. Adressez-vous à qui gère l’équipe.',
  venue: 'Établissement',
  offIn: (venues) => `pas à ${venues}`,
  series: {
    title: 'Plusieurs à la fois',
    lead: 'Elles portent le même nom avec un numéro. Ce qui existe déjà est laissé.',
    name: 'Nom avant le numéro',
    from: 'De',
    to: 'À',
    submit: 'Créer',
    preview: (first, last) => `de ${first} à ${last}`,
    done: (made, skipped) => (skipped === 0 ? `Créées : ${made}.` : `Créées : ${made} ; ${skipped} existaient déjà.`),
  },
}
