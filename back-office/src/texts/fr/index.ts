import type { Texts } from '../texts.ts'
import { peopleTexts } from './people.ts'

/** French asks for a space before : ; ! ? % and inside « » that does not break. Sentences here are written with plain ones. */
export const typeset = (text: string): string =>
  text.replaceAll(/ (?=[;!?])/g, '\u202f').replaceAll(/ (?=[:%»])|(?<=«) /g, '\u00a0')

export const texts: Texts = {
  locale: 'fr-FR',
  direction: 'ltr',

  product: 'Comptoir',
  backOffice: 'Gestion',
  skip: 'Aller au contenu',
  menu: 'Menu',
  close: 'Fermer',
  cancel: 'Annuler',
  done: 'Terminé',
  waiting: 'Chargement',
  notSent: (count) => (count === 1 ? '1 envoi en attente' : `${count} envois en attente`),
  unsentLead: 'C’est gardé sur cet appareil et envoyé dès que le serveur répond.',
  newVersion: 'Une nouvelle version est prête',
  newVersionLead: 'Elle sera prise quand vous changerez de page.',
  useNewVersion: 'L’utiliser maintenant',
  copy: 'Copier',
  copied: 'Copié',
  tryAgain: 'Réessayer',
  never: 'Jamais',
  justNow: 'à l’instant',
  test: 'Test',
  language: 'Langue',
  timesIn: (zone) => `Heures de ${zone}`,
  live: 'Réel',

  nav: {
    label: 'Pages',
    byPin: 'Vous êtes entré avec votre code. Pour les autres pages, connectez-vous avec votre mot de passe.',
    today: 'Aujourd’hui',
    floor: 'Salle',
    till: 'Caisse',
    kitchen: 'Cuisine',
    shift: 'Session de caisse',
    printers: 'Imprimantes',
    menu: 'Carte',
    stopList: 'Ruptures',
    stock: 'Stock',
    customers: 'Clients',
    openApi: 'Open API',
    activity: 'Activité',
    staff: 'Équipe',
    reports: 'Rapports',
    apiData: 'Données de l’API',
    settings: 'Réglages',
    books: 'Comptes',
    events: 'Événements',
    webhooks: 'Webhooks',
    audit: 'Journal d’audit',
    brands: 'Enseignes',
    integrators: 'Intégrateurs',
    credentials: 'Renouvellement',
    sharedBrands: 'Enseignes partagées',
    health: 'État du service',
    backups: 'Sauvegardes',
    signIns: 'Connexions',
    groups: {
      today: 'Aujourd’hui',
      service: 'Service',
      menu: 'Carte et stock',
      customers: 'Clients',
      staff: 'Équipe',
      money: 'Argent',
      settings: 'Réglages',
      integrations: 'Intégrations',
      audit: 'Journal d’audit',
    },
  },

  ...peopleTexts,

  noPermission: {
    title: 'Accès refusé',
    lead: (role) =>
      `Votre rôle, ${role}, ne permet pas de gérer les intégrations : Open API, activité et journal d’audit en ont besoin. Adressez-vous au propriétaire de l’enseigne.`,
  },

  errors: {
    title: 'Cela n’a pas fonctionné',
    page: 'Une erreur inattendue s’est produite sur cette page. Rechargez-la.',
    notFound: 'Cette page n’existe pas',
    notFoundLead: 'L’adresse est peut-être ancienne ou mal saisie.',
    home: 'Aller à l’accueil',
    bySlug: {
      offline: 'Le serveur ne répond pas. Vérifiez la connexion et réessayez.',
      unavailable: 'Le service est très sollicité. Réessayez dans un instant.',
    },
    refused: 'Le service a refusé.',
    details: 'Détails',
    away: 'Pas de connexion. Ce qui est affiché peut être ancien, et rien ne peut être enregistré avant le retour du serveur.',
    requestId: (id) => `Requête ${id}`,
  },
}
