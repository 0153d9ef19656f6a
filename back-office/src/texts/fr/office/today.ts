import type { todayTexts as english } from '../../en/office/today.ts'

/** Ce qui se passe en ce moment au restaurant. */
export const todayTexts: typeof english = {
  title: 'Aujourd’hui',
  lead: (day, time) => `${day}, jusqu’à ${time}`,
  everyVenue: 'Tous les établissements',
  venue: 'Établissement',

  sold: 'Vendu jusqu’ici',
  receipts: 'Tickets',
  against: (change, weekday, amount) => `${change} par rapport à ${weekday} à cette heure : ${amount}`,
  nothingBefore: (weekday) => `Rien ${weekday} à cette heure`,
  lastWeek: (weekday) => `${weekday} dernier`,
  receiptsBefore: (count, weekday) => `${count} ${weekday} à cette heure`,

  open: 'Tickets ouverts',
  openSum: (sum) => `${sum} à payer`,
  oldest: (age) => `le plus ancien : ${age}`,
  oldestOrder: (age) => `la plus ancienne : ${age}`,
  noneOpen: 'Tout est payé',
  orders: 'Commandes en attente',
  noOrders: 'Chaque commande a sa réponse',
  kitchen: 'Cuisine',
  kitchenWaiting: (count) => (count === '1' ? '1 bon en attente' : `${count} bons en attente`),
  late: (count) => `${count} en retard`,
  onTime: 'Aucun en retard',
  shifts: 'Sessions de caisse ouvertes',
  noShifts: 'Aucun tiroir n’est ouvert',
  shift: (terminal, person, since) => `${terminal} : ${person}, ${since}`,
  someone: 'quelqu’un',

  hours: 'Par heure',
  hoursOf: (weekday) => `Par heure, à côté de ${weekday}`,
  today: 'Aujourd’hui',
  noSales: 'Rien n’est encore vendu aujourd’hui.',

  running: 'En rupture ou bientôt',
  soldOut: (count: string) => `En rupture : ${count}`,
  fewLeft: (count: string) => `Il en reste peu : ${count}`,
  low: (count: string) => `Stock bas : ${count}`,
  nothingShort: 'Rien n’est en rupture, et rien ne va manquer.',
  left: (amount, unit) => (unit === '' ? `reste ${amount}` : `reste ${amount} ${unit}`),
  gone: 'en rupture',

  opened: 'Votre restaurant est ouvert',
  openedLead: 'Gardez ceci : vous vous connectez avec, et avec le mot de passe choisi.',
  openedRestaurant: 'Restaurant',
  openedUser: 'Identifiant',
  openedClose: 'C’est noté',

  checklist: {
    title: 'Avant l’arrivée des clients',
    lead: (done, all) => `${done} sur ${all} faits`,
    done: 'fait',
    dismiss: 'Ne plus demander',
    items: {
      product: 'Ajouter le premier produit',
      taxes: 'Donner sa taxe à chaque produit',
      hours: 'Indiquer les horaires d’ouverture',
      staff: 'Ajouter une personne de l’équipe',
      pins: 'Choisir un code pour ceux qui partagent une caisse',
      printer: 'Raccorder une imprimante',
      sale: 'Essayer une vente, et l’annuler avant le paiement',
    },
  },

  attention: 'À voir',
  notices: {
    printers: ({ count, printer, waiting }) =>
      `${count === '1' ? `${printer} n’imprime pas` : `${count} imprimantes n’impriment pas`} : ${
        waiting === '1' ? 'un papier attend' : `${waiting} papiers attendent`
      }.`,
    books: ({ count, at }) =>
      `Les comptes ne concordent pas : ${count === '1' ? '1 problème' : `${count} problèmes`}, trouvés le ${at}.`,
    webhooks: ({ count }) =>
      count === '1'
        ? 'Une adresse ne reçoit plus de webhooks : elle échoue.'
        : `${count} adresses ne reçoivent plus de webhooks : elles échouent.`,
    backup: ({ at }) =>
      at
        ? `La dernière sauvegarde date du ${at}. Demandez-en une plus récente à l’exploitant du service.`
        : 'Il n’y a encore aucune sauvegarde. Demandez-en une à l’exploitant du service.',
    backup_failed: ({ at, reason }) =>
      ({
        full: `Aucune sauvegarde n’a pu être faite le ${at} : son disque n’a plus de place. Prévenez l’exploitant du service.`,
        folder: `Aucune sauvegarde n’a pu être faite le ${at} : son dossier a disparu. Son disque est-il là ?`,
      })[reason!] ?? `Aucune sauvegarde n’a pu être faite le ${at}. Prévenez l’exploitant du service.`,
    certificate: ({ at }) =>
      `Le certificat de ce service prend fin le ${at}. Les appareils refuseront alors de se connecter : prévenez l’exploitant du service.`,
  },
  otherNotice: (kind) => `Quelque chose demande votre attention : ${kind}.`,
}
