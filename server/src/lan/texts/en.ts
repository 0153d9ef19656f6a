/** Every sentence of the page Connect a device. Another language is another file of this shape. {authority} is the name of the certificate in the lists of a device. */
export const en = {
  title: 'Connect a device',
  lead: 'Open the till, the kitchen screen and the back office on this phone, tablet or computer. It takes five minutes, once for each device.',
  check: {
    title: 'Does this device trust the restaurant’s machine?',
    checking: 'Checking …',
    trusted: 'Yes. This device is connected.',
    signIn: 'Go to sign-in',
    untrusted: 'Not yet. Follow the steps for your device below, then check again.',
    again: 'Check again',
    noScript: 'This page cannot check it: scripts are switched off. Follow the steps below, then open the address.',
    clock:
      'The clock of this device, or of the restaurant’s machine, is wrong: they differ by more than an hour. Set date and time first. With a wrong clock a device refuses every certificate.',
  },
  steps: {
    title: 'Steps for your device',
    lead: 'The certificate can vouch for this one machine only, not for any other site.',
    download: 'Download the certificate',
    downloadProfile: 'Download the profile',
    last: 'Come back to this page and tap “Check again”.',
    systems: {
      android: {
        name: 'Android',
        steps: [
          'Open the Settings app and search for “CA certificate”. It is under Security, More security settings, Install from storage; the names differ a little from phone to phone.',
          'Tap “CA certificate”, then “Install anyway”. The phone asks for its PIN or pattern.',
          'Choose the file that you downloaded.',
          'Use Chrome. For Firefox on Android, see Firefox below.',
        ],
      },
      ios: {
        name: 'iPhone and iPad',
        steps: [
          'Use Safari for the download, and tap “Allow”.',
          'Open the Settings app. Tap “Profile Downloaded” at the top, then “Install”. The device asks for its passcode.',
          'In Settings, open General, About, Certificate Trust Settings, and switch on “{authority}”. Without this step it does not work.',
        ],
      },
      windows: {
        name: 'Windows (Chrome, Edge)',
        steps: [
          'Open the downloaded file and click “Install Certificate…”.',
          'Choose “Current User”, then “Place all certificates in the following store”, “Browse…”, “Trusted Root Certification Authorities”.',
          'Click “Next”, “Finish”, and “Yes” to the question.',
          'Close all windows of the browser and open it again.',
        ],
      },
      macos: {
        name: 'macOS (Safari, Chrome)',
        steps: [
          'Open the downloaded file. Keychain Access asks whether to add it: choose the keychain “login”.',
          'In Keychain Access, double-click “{authority}”, open “Trust”, and choose “Always Trust” at the top.',
          'Close the window. The Mac asks for your password.',
        ],
      },
      chromeos: {
        name: 'ChromeOS, and Chrome on Linux',
        steps: [
          'Type chrome://certificate-manager in the address bar.',
          'Open “Local certificates”, then “Custom”, “Installed by you”, and click “Import” beside “Trusted certificates”. On older versions: chrome://settings/certificates, “Authorities”, “Import”.',
          'Choose the downloaded file. If you are asked, tick “Trust this certificate for identifying websites”.',
        ],
      },
      firefox: {
        name: 'Firefox',
        steps: [
          'On a computer: open Settings, Privacy & Security, “View Certificates…”, “Authorities”, “Import…”, and choose the downloaded file.',
          'Tick “Trust this CA to identify websites”.',
          'On Android: do the steps for Android first. Then open Settings, About Firefox, and tap the logo seven times. Back in Settings, open “Secret Settings” and switch on “Use third party CA certificates”.',
        ],
      },
    },
    tried: 'Tried by us: Chromium on Debian. Not tried yet: Android, iOS, Windows, macOS, ChromeOS and Firefox.',
  },
  compare: {
    title: 'Compare the fingerprint',
    lead: 'The device shows a SHA-256 fingerprint before or after it installs the certificate. It must be this one. The same stands where the service was started, and in the back office of a connected device, under your name, “Connect a device”.',
    name: 'Name of the certificate',
    fingerprint: 'SHA-256 fingerprint',
    files: 'Files',
  },
  other: {
    title: 'The next device',
    lead: 'Scan this with its camera, or type the address. It must be in the same network (Wi-Fi).',
    picture: (address: string) => `QR code with the address ${address}`,
    alsoAt: 'The till is also at:',
  },
  help: {
    title: 'If it does not work',
    items: [
      'The address changed: if the till no longer opens, the machine may have a new address. Scan the code on its screen again. To avoid it, give the machine a fixed address in the router. The certificate follows by itself within a minute.',
      'It worked before: if the files of the machine’s certificate were lost, it has a new one. Remove “Comptoir …” from the certificates of the device, and follow the steps again.',
      'Two services in one network: each has its own page and certificate. Compare the name and the fingerprint.',
      'The browser warns: do not click the warning away. The till needs a trusted connection to work when the network fails. Follow the steps instead.',
      'Everything is done, and it still says “Not yet”: close the browser and open it again. A firewall on the machine must let the ports of this page and of the till through.',
    ],
  },
}
