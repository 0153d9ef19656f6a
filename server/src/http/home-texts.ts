// What GET / says, in the languages of the pages.

const en = {
  what: 'The point of sale of this restaurant, on this machine.',
  api: 'The API for integrations is at',
  ready: 'Everything works.',
  notReady: 'Not ready: the database does not answer.',
  till: ['Till', 'Sell and take payments'],
  kitchen: ['Kitchen', 'Tickets of each station'],
  backOffice: ['Back office', 'Menu, stock, staff and reports'],
  reference: ['API reference', 'For those who connect a program'],
  health: ['Health check', 'Whether everything works, for a program'],
  notOpened: {
    title: 'No restaurant is open here yet',
    lead: 'Open yours with the link that this service printed where it was started. It is good once, for 24 hours; a restart makes another.',
  },
  quickStart: 'Quick start: a first program in five minutes, in',
  demo: {
    title: 'This is the demo restaurant',
    lead: 'Its data stays in a folder of its own. Sign in with:',
    brand: 'Restaurant',
    username: 'Username',
    password: 'Password',
    operator: 'Or as operator, who keeps the machine:',
    own: 'To open your own restaurant, stop the demo and run',
  },
}

const fr: typeof en = {
  what: 'La caisse de ce restaurant, sur cette machine.',
  api: 'L’API des intégrations est à l’adresse',
  ready: 'Tout fonctionne.',
  notReady: 'Indisponible\u202f: la base de données ne répond pas.',
  till: ['Caisse', 'Vendre et encaisser'],
  kitchen: ['Cuisine', 'Les bons de chaque poste'],
  backOffice: ['Gestion', 'Carte, stock, équipe et rapports'],
  reference: ['Référence de l’API', 'Pour connecter un programme'],
  health: ['État du service', 'Si tout fonctionne, pour un programme'],
  notOpened: {
    title: 'Aucun restaurant n’est encore ouvert ici',
    lead: 'Ouvrez le vôtre avec le lien que ce service a affiché là où il a été lancé. Il sert une fois, pendant 24 heures\u202f; un redémarrage en fait un autre.',
  },
  quickStart: 'Premiers pas\u00a0: un premier programme en cinq minutes, dans',
  demo: {
    title: 'Ceci est le restaurant de démonstration',
    lead: 'Ses données restent dans leur propre dossier. Connectez-vous avec\u00a0:',
    brand: 'Restaurant',
    username: 'Identifiant',
    password: 'Mot de passe',
    operator: 'Ou comme exploitant, qui s’occupe de la machine\u00a0:',
    own: 'Pour ouvrir votre propre restaurant, arrêtez la démonstration et lancez',
  },
}

export type HomeTexts = typeof en

const LANGUAGES: Readonly<Record<string, HomeTexts>> = { en, fr }
export const HOME_LANGUAGES: readonly string[] = Object.keys(LANGUAGES)
export const homeTexts = (language: string): HomeTexts => LANGUAGES[language]!
