import { Link } from '@tanstack/react-router'
import { SubPages, subPage } from '../../components/layout/sub-pages.tsx'
import { staffTexts } from '../../texts/office/staff.ts'

/** People and roles stand beside each other. */
export const StaffPages = () => (
  <SubPages label={staffTexts.title}>
    <Link to="/staff" activeOptions={{ exact: true }} {...subPage}>
      {staffTexts.people}
    </Link>
    <Link to="/staff/roles" {...subPage}>
      {staffTexts.roles}
    </Link>
  </SubPages>
)
