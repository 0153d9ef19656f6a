/** Signing in, invitations and the account of the person who works here. */
export const peopleTexts = {
  person: {
    operator: 'Operator',
    light: 'Light',
    dark: 'Dark',
    system: 'Same as the device',
    appearance: 'Appearance',
    signOut: 'Sign out',
    unsentLead: 'It stays on this device until you sign in here again, and is sent then. Nobody else sends it.',
    signOutEverywhere: 'Sign out everywhere',
  },

  signIn: {
    title: 'Sign in',
    motto: 'Your restaurant: the till, the kitchen, the stock and the books.',
    footing: 'Open, self-hosted, yours.',
    restaurant: 'Restaurant',
    operator: 'Operator',
    brand: 'Your restaurant',
    brandHint: 'Its short name here, such as “bistro”',
    username: 'Username',
    name: 'Name',
    password: 'Password',
    code: 'Code',
    codeHint: 'Six digits from your authenticator app',
    submit: 'Sign in',
    byPin: 'Sign in with a PIN',
    help: 'No password yet, or forgotten? Ask the person who manages staff for a link.',
    ended: 'You were signed out. Sign in to go on.',
  },

  invitation: {
    title: (name: string) => `Welcome, ${name}`,
    lead: (brand: string) => `Choose a password for the back office of ${brand}.`,
    leadOperator: 'Choose a password and add this account to your authenticator app.',
    link: 'Invitation',
    app: 'Authenticator app',
    appHint:
      'Scan the picture with your app. On the phone itself, open the link or enter the key. They are shown on this page only.',
    picture: 'The key as a picture to scan',
    appLink: 'Open in the app on this device',
    key: 'Key',
    code: 'Code',
    codeHint: 'The six digits that the app shows now',
    submit: 'Save and sign in',
    spent: 'This link does not work',
    spentLead:
      'It was used already, was replaced by a newer one, or is older than a day. Ask the person who sent it for another.',
  },

  newPassword: {
    label: 'New password',
    hint: 'At least 12 characters. A few unrelated words are easy to keep in mind and hard to guess.',
    repeat: 'The same again',
    differs: 'The two are not the same.',
  },

  account: {
    title: 'Your account',
    lead: (username: string, brand: string) => `You are signed in as ${username} of ${brand}.`,
    leadOperator: (name: string) => `You are signed in as ${name}, an operator of this service.`,
    password: 'Change your password',
    current: 'Current password',
    change: 'Change password',
    changed: 'Your password is changed. You are signed out everywhere else.',
    sessions: 'Sessions',
    sessionsLead:
      'A session ends after half an hour without use, and after twelve hours in any case. If a device was lost, end them all at once.',
    everywhereTitle: 'Sign out everywhere?',
    everywhereLead: 'Every session under your name ends at once, this one too. Your password stays the same.',
  },

  connect: {
    title: 'Connect a device',
    lead: 'Open the till, the kitchen screen and the back office on a phone, a tablet or another computer.',
    scan: 'Scan this with the camera of the new device, or type the address there. It must be in the same network (Wi-Fi). The page that opens says every step.',
    picture: 'The address as a picture to scan',
    address: 'Address',
    compare: 'Compare',
    compareLead: 'The new device shows these when it installs the certificate. They must be the same.',
    authority: 'Name of the certificate',
    fingerprint: 'SHA-256 fingerprint',
    none: 'Devices of the local network',
    noneLead:
      'This service is not open to the devices of a local network. If it has a domain of its own, open that on the device: nothing else is needed. Otherwise start it with “comptoir serve --lan”, or set COMPTOIR_LAN=1.',
  },
}
