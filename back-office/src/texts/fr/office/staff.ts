import type { staffTexts as english } from '../../en/office/staff.ts'

/** Les personnes d’un restaurant et ce qu’elles peuvent faire. */
export const staffTexts: typeof english = {
  title: 'Équipe',
  lead: 'Qui travaille ici, dans quel rôle et où. Une nouvelle personne reçoit un lien, avec lequel elle choisit son mot de passe.',
  rolesLead:
    'Ce que quelqu’un peut faire. Une personne a un rôle ; vous ne pouvez donner aucun droit que vous n’avez pas vous-même.',
  people: 'Personnes',
  roles: 'Rôles',
  search: 'Chercher par nom',
  nobody: 'Personne de ce nom',
  nobodyLead: 'Aucun nom ni identifiant ne contient cela.',
  noRoles: 'Encore aucun rôle',
  more: (shown, total) => `Les ${shown} premières personnes sur ${total}. Cherchez pour trouver les autres.`,
  you: '(vous)',
  everyVenue: 'Tous les établissements',
  elsewhere: 'D’autres établissements',
  everything: 'Tout',
  rights: (count) => (count === 1 ? '1 droit' : `${count} droits`),
  invite: 'Inviter',
  newLink: 'Nouveau lien',
  columns: {
    name: 'Nom',
    role: 'Rôle',
    venues: 'Établissements',
    state: 'État',
    seen: 'Vu la dernière fois',
    rights: 'Peut',
  },
  states: { active: 'Actif', invited: 'Invité', new: 'Pas invité', off: 'Désactivé' },
  link: {
    title: (name) => `Un lien pour ${name}`,
    lead: 'Avec ce lien, la personne choisit un mot de passe et entre. Il fonctionne une fois, pendant 24 heures, et remplace celui qui n’a pas servi.',
    why: 'Qui a le lien peut devenir cette personne : votre mot de passe est donc demandé, et le journal d’audit le note.',
    submit: 'Créer le lien',
    ready: (name) => `Le lien pour ${name}`,
    readyLead:
      'Faites-le scanner avec un téléphone, ou envoyez-le à cette personne et à personne d’autre. Il n’est montré qu’ici.',
    hereAlone:
      'Vous avez ouvert cette page par une adresse que seule cette machine connaît : le lien ne fonctionne donc qu’ici. Pour un téléphone, ouvrez la gestion par l’adresse des autres appareils, et créez le lien là.',
    picture: 'Le lien en image à scanner',
    link: 'Lien',
  },
}
