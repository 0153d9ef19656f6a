import type { en } from './en.ts'

export const fr: typeof en = {
  title: 'Connecter un appareil',
  lead: 'Ouvrez la caisse, l’écran de cuisine et la gestion sur ce téléphone, cette tablette ou cet ordinateur. Cela prend cinq minutes, une fois par appareil.',
  check: {
    title: 'Cet appareil fait-il confiance à la machine du restaurant ?',
    checking: 'Vérification…',
    trusted: 'Oui. Cet appareil est connecté.',
    signIn: 'Aller à la connexion',
    untrusted: 'Pas encore. Suivez les étapes pour votre appareil ci-dessous, puis vérifiez à nouveau.',
    again: 'Vérifier à nouveau',
    noScript:
      'Cette page ne peut pas le vérifier : les scripts sont désactivés. Suivez les étapes ci-dessous, puis ouvrez l’adresse.',
    clock:
      'L’horloge de cet appareil, ou celle de la machine du restaurant, est fausse : elles diffèrent de plus d’une heure. Réglez d’abord la date et l’heure. Avec une horloge fausse, un appareil refuse tous les certificats.',
  },
  steps: {
    title: 'Les étapes pour votre appareil',
    lead: 'Le certificat ne peut garantir que cette machine, et aucun autre site.',
    download: 'Télécharger le certificat',
    downloadProfile: 'Télécharger le profil',
    last: 'Revenez à cette page et touchez « Vérifier à nouveau ».',
    systems: {
      android: {
        name: 'Android',
        steps: [
          'Ouvrez l’application Paramètres et cherchez « Certificat CA ». Il se trouve sous Sécurité, Autres paramètres de sécurité, Installer un certificat ; les noms varient un peu d’un téléphone à l’autre.',
          'Touchez « Certificat CA », puis « Installer quand même ». Le téléphone demande son code ou son schéma.',
          'Choisissez le fichier téléchargé.',
          'Utilisez Chrome. Pour Firefox sur Android, voir Firefox ci-dessous.',
        ],
      },
      ios: {
        name: 'iPhone et iPad',
        steps: [
          'Téléchargez avec Safari, et touchez « Autoriser ».',
          'Ouvrez l’application Réglages. Touchez « Profil téléchargé » en haut, puis « Installer ». L’appareil demande son code.',
          'Dans Réglages, ouvrez Général, Informations, Réglages de confiance des certificats, et activez « {authority} ». Sans cette étape, cela ne marche pas.',
        ],
      },
      windows: {
        name: 'Windows (Chrome, Edge)',
        steps: [
          'Ouvrez le fichier téléchargé et cliquez sur « Installer un certificat… ».',
          'Choisissez « Utilisateur actuel », puis « Placer tous les certificats dans le magasin suivant », « Parcourir… », « Autorités de certification racines de confiance ».',
          'Cliquez sur « Suivant », « Terminer », et répondez « Oui » à la question.',
          'Fermez toutes les fenêtres du navigateur et ouvrez-le à nouveau.',
        ],
      },
      macos: {
        name: 'macOS (Safari, Chrome)',
        steps: [
          'Ouvrez le fichier téléchargé. Trousseaux d’accès demande s’il faut l’ajouter : choisissez le trousseau « session ».',
          'Dans Trousseaux d’accès, double-cliquez sur « {authority} », ouvrez « Se fier », et choisissez « Toujours approuver » en haut.',
          'Fermez la fenêtre. Le Mac demande votre mot de passe.',
        ],
      },
      chromeos: {
        name: 'ChromeOS, et Chrome sous Linux',
        steps: [
          'Tapez chrome://certificate-manager dans la barre d’adresse.',
          'Ouvrez les certificats locaux, puis ceux que vous avez installés, et cliquez sur « Importer » à côté des certificats de confiance. Sur les versions plus anciennes : chrome://settings/certificates, « Autorités », « Importer ».',
          'Choisissez le fichier téléchargé. Si l’on vous le demande, cochez que ce certificat peut identifier des sites web.',
        ],
      },
      firefox: {
        name: 'Firefox',
        steps: [
          'Sur un ordinateur : ouvrez Paramètres, Vie privée et sécurité, « Afficher les certificats… », « Autorités », « Importer… », et choisissez le fichier téléchargé.',
          'Cochez « Confirmer cette AC pour identifier des sites web ».',
          'Sur Android : faites d’abord les étapes pour Android. Ouvrez ensuite Paramètres, À propos de Firefox, et touchez sept fois le logo. De retour dans Paramètres, ouvrez « Secret Settings » et activez « Use third party CA certificates ».',
        ],
      },
    },
    tried:
      'Essayé par nous : Chromium sous Debian. Pas encore essayé : Android, iOS, Windows, macOS, ChromeOS et Firefox.',
  },
  compare: {
    title: 'Comparer l’empreinte',
    lead: 'L’appareil montre une empreinte SHA-256 avant ou après l’installation du certificat. Ce doit être celle-ci. La même se trouve là où le service a été lancé, et dans la gestion d’un appareil connecté, sous votre nom, « Connecter un appareil ».',
    name: 'Nom du certificat',
    fingerprint: 'Empreinte SHA-256',
    files: 'Fichiers',
  },
  other: {
    title: 'L’appareil suivant',
    lead: 'Scannez ceci avec sa caméra, ou tapez l’adresse. Il doit être dans le même réseau (Wi-Fi).',
    picture: (address) => `Code QR avec l’adresse ${address}`,
    alsoAt: 'La caisse est aussi à :',
  },
  help: {
    title: 'Si cela ne marche pas',
    items: [
      'L’adresse a changé : si la caisse ne s’ouvre plus, la machine a peut-être une nouvelle adresse. Scannez à nouveau le code sur son écran. Pour l’éviter, donnez à la machine une adresse fixe dans le routeur. Le certificat suit de lui-même en moins d’une minute.',
      'Cela marchait avant : si les fichiers du certificat de la machine ont été perdus, elle en a un nouveau. Retirez « Comptoir… » des certificats de l’appareil, et suivez à nouveau les étapes.',
      'Deux services dans un même réseau : chacun a sa page et son certificat. Comparez le nom et l’empreinte.',
      'Le navigateur avertit : ne passez pas outre. La caisse a besoin d’une connexion de confiance pour marcher quand le réseau tombe. Suivez plutôt les étapes.',
      'Tout est fait, et la réponse reste « Pas encore » : fermez le navigateur et ouvrez-le à nouveau. Un pare-feu sur la machine doit laisser passer les ports de cette page et de la caisse.',
    ],
  },
}
