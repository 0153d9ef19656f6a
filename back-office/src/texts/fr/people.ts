import type { peopleTexts as english } from '../en/people.ts'

/** Se connecter, les invitations et le compte de chacun. */
export const peopleTexts: typeof english = {
  person: {
    operator: 'Exploitant',
    light: 'Clair',
    dark: 'Sombre',
    system: 'Comme l’appareil',
    appearance: 'Apparence',
    signOut: 'Se déconnecter',
    unsentLead:
      'Cela reste sur cet appareil jusqu’à ce que vous vous y reconnectiez, et part alors. Personne d’autre ne l’envoie.',
    signOutEverywhere: 'Se déconnecter partout',
  },

  signIn: {
    title: 'Connexion',
    motto: 'Votre restaurant : la caisse, la cuisine, le stock et les comptes.',
    footing: 'Libre, hébergé chez vous, à vous.',
    restaurant: 'Restaurant',
    operator: 'Exploitant',
    brand: 'Votre restaurant',
    brandHint: 'Son nom court ici, par exemple « bistro »',
    username: 'Identifiant',
    name: 'Nom',
    password: 'Mot de passe',
    code: 'Code',
    codeHint: 'Six chiffres, donnés par votre application d’authentification',
    submit: 'Se connecter',
    byPin: 'Se connecter avec un code',
    help: 'Pas encore de mot de passe, ou oublié ? Demandez un lien à la personne qui gère l’équipe.',
    ended: 'Vous avez été déconnecté. Connectez-vous pour continuer.',
  },

  invitation: {
    title: (name) => `Bienvenue, ${name}`,
    lead: (brand) => `Choisissez un mot de passe pour travailler chez ${brand}.`,
    leadOperator: 'Choisissez un mot de passe et ajoutez ce compte à votre application d’authentification.',
    link: 'Invitation',
    app: 'Application d’authentification',
    appHint:
      'Scannez l’image avec votre application. Sur le téléphone lui-même, ouvrez le lien ou saisissez la clé. Ils ne sont affichés que sur cette page.',
    picture: 'La clé, en image à scanner',
    appLink: 'Ouvrir dans l’application de cet appareil',
    key: 'Clé',
    code: 'Code',
    codeHint: 'Les six chiffres que l’application affiche maintenant',
    submit: 'Enregistrer et se connecter',
    spent: 'Ce lien ne fonctionne pas',
    spentLead:
      'Il a déjà servi, a été remplacé par un plus récent, ou date de plus d’un jour. Demandez-en un autre à qui l’a envoyé.',
  },

  newPassword: {
    label: 'Nouveau mot de passe',
    hint: 'Au moins 12 caractères. Quelques mots sans rapport entre eux se retiennent bien et se devinent mal.',
    repeat: 'Encore une fois le même',
    differs: 'Les deux ne sont pas identiques.',
  },

  account: {
    title: 'Votre compte',
    lead: (username, brand) => `Vous êtes connecté en tant que ${username}, chez ${brand}.`,
    leadOperator: (name) => `Vous êtes connecté en tant que ${name}, exploitant de ce service.`,
    password: 'Changer votre mot de passe',
    current: 'Mot de passe actuel',
    change: 'Changer le mot de passe',
    changed: 'Votre mot de passe est changé. Vous êtes déconnecté partout ailleurs.',
    sessions: 'Connexions',
    sessionsLead:
      'Une connexion prend fin après une demi-heure sans activité, et au bout de douze heures dans tous les cas. Si un appareil est perdu, fermez-les toutes d’un coup.',
    everywhereTitle: 'Se déconnecter partout ?',
    everywhereLead:
      'Toutes les connexions à votre nom prennent fin aussitôt, celle-ci aussi. Votre mot de passe ne change pas.',
  },

  connect: {
    title: 'Connecter un appareil',
    lead: 'Ouvrez la caisse, l’écran de cuisine et la gestion sur un téléphone, une tablette ou un autre ordinateur.',
    scan: 'Scannez ceci avec l’appareil photo du nouvel appareil, ou saisissez-y l’adresse. Il doit être sur le même réseau (Wi-Fi). La page qui s’ouvre explique chaque étape.',
    picture: 'L’adresse, en image à scanner',
    address: 'Adresse',
    compare: 'Comparer',
    compareLead: 'Le nouvel appareil affiche ceci quand il installe le certificat. Tout doit être identique.',
    authority: 'Nom du certificat',
    fingerprint: 'Empreinte SHA-256',
    none: 'Appareils du réseau local',
    noneLead:
      'Ce service n’est pas ouvert aux appareils d’un réseau local. S’il a son propre nom de domaine, ouvrez-le sur l’appareil : il ne faut rien d’autre. Sinon, démarrez-le avec « comptoir serve --lan », ou réglez COMPTOIR_LAN=1.',
  },
}
