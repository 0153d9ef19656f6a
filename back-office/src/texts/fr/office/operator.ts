import type { operatorTexts as english } from '../../en/office/operator.ts'

/** Les pages de l’exploitant du service ; un fichier à part, que lui seul charge. */
export const operatorTexts: typeof english = {
  brands: {
    title: 'Enseignes',
    lead: 'Les restaurants de ce service. Une enseigne en mode test peut être appelée par les intégrateurs de test.',
    create: 'Nouvelle enseigne',
    empty: 'Aucune enseigne',
    emptyLead: 'Créez la première. Vous obtenez un lien avec lequel son propriétaire l’ouvre dans le navigateur.',
    actionsOf: (name) => `Actions pour ${name}`,
    columns: {
      name: 'Enseigne',
      mode: 'Mode',
      quotas: 'Quotas',
      credentials: 'Identifiants',
      created: 'Création',
      actions: 'Actions',
    },
    toLive: 'Passer en réel',
    toTest: 'Passer en test',
    liveTitle: (name) => `Passer ${name} en réel ?`,
    liveLead: 'Les intégrateurs en mode test sont alors refusés, en moins d’une seconde.',
    testTitle: (name) => `Passer ${name} en mode test ?`,
    testLead: 'Les intégrateurs en mode test peuvent alors l’appeler. Rien d’autre ne change.',
    slug: 'Nom court',
    slugHint: 'Minuscules, chiffres et tirets. Les intégrateurs l’envoient, il reste donc tel quel.',
    name: 'Nom',
    testMode: 'En mode test',
    testModeHint: 'Les intégrateurs de test peuvent l’appeler jusqu’à ce que vous la passiez en réel.',
    submit: 'Créer',
    setupLink: 'Lien d’ouverture',
    linkTitle: (name) => `Un lien pour ouvrir ${name}`,
    linkReplaces: 'L’enseigne n’a encore rien. Un nouveau lien remplace celui qui n’a pas servi.',
    linkReady: (name) => `Le lien pour ${name} est prêt`,
    linkLead:
      'Remettez-le au propriétaire par un moyen sûr. Il fonctionne une fois, pendant 24 heures, et qui l’ouvre devient propriétaire.',
    commandLine: 'En ligne de commande',
    next: (slug) => `comptoir import --brand ${slug} staff.ndjson`,
  },

  invite: {
    action: 'Inviter une personne',
    title: (brand) => `Inviter une personne de ${brand}`,
    lead: 'Vous recevez un lien, valable une fois et 24 heures, avec lequel la personne choisit un mot de passe.',
    user: 'Personne',
    access: {
      none: 'N’a pas encore accès à la gestion.',
      link: 'A un lien qui n’a pas encore servi. Un nouveau le remplace.',
      password: 'A déjà un mot de passe. Avec le lien, la personne en choisit un autre et est déconnectée partout.',
    },
    submit: 'Créer le lien',
    ready: 'Le lien est prêt',
    readyLead:
      'Transmettez-le à la personne par un canal sûr. Il fonctionne une fois, pendant 24 heures. La première personne qui l’ouvre obtient l’accès.',
    link: 'Lien',
    nobody: (brand) => `${brand} n’a encore personne`,
    nobodyLead: 'Importez d’abord ses établissements, ses rôles et son équipe. Chacun peut ensuite être invité.',
  },

  quota: {
    action: 'Régler le quota',
    usual: (count) => `Habituel (${count} par minute)`,
    aMinute: (count) => `${count} par minute`,
    title: (name) => `Quota de ${name}`,
    lead: 'Les appels par minute qu’un intégrateur peut faire pour cette enseigne. Effet en moins d’une seconde.',
    integrator: 'Intégrateur',
    perMinute: 'Appels par minute',
    submit: 'Enregistrer',
    done: 'Le quota est réglé',
  },

  integrators: {
    title: 'Intégrateurs',
    lead: 'Les tiers qui agissent pour des enseignes. Chacun a un id, qu’il envoie à chaque connexion.',
    create: 'Délivrer un id',
    empty: 'Aucun intégrateur',
    emptyLead: 'Délivrez un id quand quelqu’un veut développer avec ce service.',
    columns: {
      name: 'Intégrateur',
      mode: 'Mode',
      status: 'État',
      used: 'Dernier appel',
      created: 'Création',
      actions: 'Actions',
    },
    active: 'Actif',
    inactive: 'Inactif',
    toLive: 'Passer en réel',
    toTest: 'Passer en test',
    liveTitle: (name) => `Laisser ${name} appeler les enseignes réelles ?`,
    liveLead: 'Toute enseigne qui lui donne des identifiants peut alors être appelée.',
    testTitle: (name) => `Limiter ${name} aux enseignes de test ?`,
    testLead: 'Ses appels aux enseignes réelles sont refusés en moins d’une seconde.',
    offTitle: (name) => `Désactiver ${name} ?`,
    offLead: 'Ses appels sont refusés en moins d’une seconde, pour toutes les enseignes. Vous pouvez le réactiver.',
    deactivate: 'Désactiver',
    toggle: (name) => `État de ${name}`,
    name: 'Nom',
    testMode: 'En mode test',
    testModeHint: 'Il ne peut appeler que des enseignes de test. Bien pour qui développe encore.',
    submit: 'Délivrer',
    issued: 'L’id est délivré',
    issuedLead: 'Transmettez-le à l’intégrateur. Il n’est pas secret.',
    id: 'Integrator id',
  },

  rotation: {
    title: 'Renouvellement',
    lead: 'Une enseigne qui a perdu ou laissé fuiter un secret vous en demande un nouveau. L’ancien peut continuer à fonctionner le temps du changement.',
    brand: 'Enseigne',
    choose: 'Choisissez une enseigne pour voir ses identifiants.',
    empty: 'Cette enseigne n’a pas d’identifiants',
    emptyLead: 'Il n’y a rien à renouveler tant que son propriétaire n’en crée pas.',
    rotate: 'Renouveler',
    dialog: (name) => `Renouveler le secret de « ${name} »`,
    overlap: 'L’ancien secret fonctionne encore',
    overlaps: [
      ['0', 'Plus du tout : il a fuité'],
      ['3600', 'Une heure'],
      ['86400', 'Un jour'],
      ['604800', 'Une semaine'],
    ],
    submit: 'Renouveler',
  },

  shared: {
    title: 'Enseignes partagées',
    lead: 'Les enseignes que plusieurs intégrateurs ont appelées ces 30 derniers jours. C’est souvent normal. Répartir le trafic d’un seul programme sur plusieurs ids, pour avoir plusieurs quotas, ne l’est pas.',
    empty: 'Aucune enseigne partagée',
    emptyLead: 'Chaque enseigne a été appelée par un intégrateur au plus.',
    columns: { integrator: 'Intégrateur', quota: 'Quota', used: 'Dernier appel' },
  },

  health: {
    title: 'État du service',
    lead: 'Si les bases répondent, et quels processus servent.',
    stores: 'Bases',
    workers: 'Processus',
    ok: 'Répond',
    bad: 'Ne répond pas',
    ms: (ms) => `${ms} ms`,
    schema: (version) => `schéma ${version}`,
    names: { Limits: 'Limites', 'Activity log': 'Journal des appels' },
    details: {
      'in memory': 'en mémoire',
      'in Redis': 'dans Redis',
      'in a file of its own': 'dans un fichier à part',
      'in PostgreSQL': 'dans PostgreSQL',
      'does not answer': 'ne répond pas',
    },
    columns: {
      name: 'Processus',
      state: 'État',
      started: 'En marche depuis',
      seen: 'Dernier signe de vie',
      memory: 'Mémoire',
      node: 'Node',
    },
    alive: 'En service',
    silent: 'Muet',
    mib: (count) => `${count} Mio`,
  },

  backups: {
    title: 'Sauvegardes',
    lead: 'Copies de toute la base. Le trousseau de clés n’y est pas : gardez-en aussi une copie, ailleurs.',
    last: 'Dernière sauvegarde',
    schedule: 'Faites d’elles-mêmes',
    every: (minutes) =>
      minutes % 1440 === 0
        ? minutes === 1440
          ? 'chaque jour'
          : `tous les ${minutes / 1440} jours`
        : minutes % 60 === 0
          ? minutes === 60
            ? 'chaque heure'
            : `toutes les ${minutes / 60} heures`
          : minutes === 1
            ? 'chaque minute'
            : `toutes les ${minutes} minutes`,
    notScheduled: 'non : donnez à COMPTOIR_BACKUP_TO un dossier sur un autre disque',
    folder: 'Dossier',
    keep: 'Copies gardées',
    now: 'Sauvegarder maintenant',
    running: 'Une copie est en cours',
    failed: (at, reason) => `L’essai du ${at} a échoué : ${reason}`,
    reasons: {
      full: 'le disque n’a plus de place. Il faut libre le double de la taille de la base.',
      folder: 'le dossier a disparu. Son disque est-il là ?',
      other: 'le journal du service dit pourquoi.',
    },
    columns: { name: 'Copie', at: 'Faite', size: 'Taille', actions: 'Actions' },
    mib: (count) => `${count} Mio`,
    download: 'Télécharger',
    dialog: (name) => `Télécharger ${name}`,
    warning:
      'Ce fichier contient tout sur les clients, le personnel et les ventes. Gardez-le là où vous seul pouvez le lire.',
    empty: 'Pas encore de copie',
    emptyLead: 'La première est ici dès qu’elle est faite.',
    postgres: 'PostgreSQL a ses propres outils',
    postgresLead: 'Ses copies se font avec pg_dump ou des journaux archivés, qui ne laissent pas de trace ici.',
  },

  signIns: {
    title: 'Connexions',
    lead: 'Les dernières tentatives de connexion. Après quelques mots de passe faux, la suivante doit attendre, de plus en plus longtemps.',
    columns: { who: 'Qui', outcome: 'Résultat', address: 'Adresse', when: 'Quand' },
    unknown: 'Personne de ce nom',
    outcomes: {
      signed_in: 'Connecté',
      refused: 'Refusé',
      password_again: 'Mot de passe redonné',
    },
    empty: 'Personne ne s’est encore connecté',
    emptyLead: 'Les tentatives seront listées ici.',
  },
}
