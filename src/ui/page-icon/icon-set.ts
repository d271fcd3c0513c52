// The line icons that a page can have, with words by which people find them. Its code loads with the picker, or when
// the first page with an icon is shown. Names that are stored stay in this list: a page with another one is shown with
// the icon of pages.
import Anchor from 'lucide-react/icons/anchor';
import Archive from 'lucide-react/icons/archive';
import Bike from 'lucide-react/icons/bike';
import Book from 'lucide-react/icons/book';
import BookOpen from 'lucide-react/icons/book-open';
import Bookmark from 'lucide-react/icons/bookmark';
import Brain from 'lucide-react/icons/brain';
import Briefcase from 'lucide-react/icons/briefcase';
import Bug from 'lucide-react/icons/bug';
import Building2 from 'lucide-react/icons/building-2';
import CalendarDays from 'lucide-react/icons/calendar-days';
import Camera from 'lucide-react/icons/camera';
import Car from 'lucide-react/icons/car';
import ChartLine from 'lucide-react/icons/chart-line';
import ClipboardList from 'lucide-react/icons/clipboard-list';
import Clock from 'lucide-react/icons/clock';
import Cloud from 'lucide-react/icons/cloud';
import Code from 'lucide-react/icons/code';
import Coffee from 'lucide-react/icons/coffee';
import Compass from 'lucide-react/icons/compass';
import Database from 'lucide-react/icons/database';
import Dog from 'lucide-react/icons/dog';
import Dumbbell from 'lucide-react/icons/dumbbell';
import Factory from 'lucide-react/icons/factory';
import FileText from 'lucide-react/icons/file-text';
import Fish from 'lucide-react/icons/fish';
import Flag from 'lucide-react/icons/flag';
import Flame from 'lucide-react/icons/flame';
import FlaskConical from 'lucide-react/icons/flask-conical';
import Gift from 'lucide-react/icons/gift';
import GitBranch from 'lucide-react/icons/git-branch';
import Globe from 'lucide-react/icons/globe';
import GraduationCap from 'lucide-react/icons/graduation-cap';
import Hammer from 'lucide-react/icons/hammer';
import HandHeart from 'lucide-react/icons/hand-heart';
import Handshake from 'lucide-react/icons/handshake';
import House from 'lucide-react/icons/house';
import Image from 'lucide-react/icons/image';
import Kanban from 'lucide-react/icons/kanban';
import Key from 'lucide-react/icons/key';
import Landmark from 'lucide-react/icons/landmark';
import Laptop from 'lucide-react/icons/laptop';
import LayoutTemplate from 'lucide-react/icons/layout-template';
import Leaf from 'lucide-react/icons/leaf';
import LifeBuoy from 'lucide-react/icons/life-buoy';
import Lightbulb from 'lucide-react/icons/lightbulb';
import ListChecks from 'lucide-react/icons/list-checks';
import Lock from 'lucide-react/icons/lock';
import Mail from 'lucide-react/icons/mail';
import MapIcon from 'lucide-react/icons/map';
import MapPin from 'lucide-react/icons/map-pin';
import Megaphone from 'lucide-react/icons/megaphone';
import MessageCircle from 'lucide-react/icons/message-circle';
import MessagesSquare from 'lucide-react/icons/messages-square';
import Mic from 'lucide-react/icons/mic';
import Microscope from 'lucide-react/icons/microscope';
import Mountain from 'lucide-react/icons/mountain';
import Music from 'lucide-react/icons/music';
import NotebookPen from 'lucide-react/icons/notebook-pen';
import Palette from 'lucide-react/icons/palette';
import PartyPopper from 'lucide-react/icons/party-popper';
import Phone from 'lucide-react/icons/phone';
import PiggyBank from 'lucide-react/icons/piggy-bank';
import Plane from 'lucide-react/icons/plane';
import Puzzle from 'lucide-react/icons/puzzle';
import Radio from 'lucide-react/icons/radio';
import Receipt from 'lucide-react/icons/receipt';
import Rocket from 'lucide-react/icons/rocket';
import Ruler from 'lucide-react/icons/ruler';
import Scale from 'lucide-react/icons/scale';
import School from 'lucide-react/icons/school';
import Server from 'lucide-react/icons/server';
import Shield from 'lucide-react/icons/shield';
import Ship from 'lucide-react/icons/ship';
import ShoppingCart from 'lucide-react/icons/shopping-cart';
import Signpost from 'lucide-react/icons/signpost';
import Sparkles from 'lucide-react/icons/sparkles';
import Sprout from 'lucide-react/icons/sprout';
import Star from 'lucide-react/icons/star';
import Stethoscope from 'lucide-react/icons/stethoscope';
import Store from 'lucide-react/icons/store';
import Sun from 'lucide-react/icons/sun';
import Table from 'lucide-react/icons/table';
import Target from 'lucide-react/icons/target';
import Tent from 'lucide-react/icons/tent';
import Terminal from 'lucide-react/icons/terminal';
import Thermometer from 'lucide-react/icons/thermometer';
import Timer from 'lucide-react/icons/timer';
import TrainFront from 'lucide-react/icons/train-front';
import TreePine from 'lucide-react/icons/tree-pine';
import Trophy from 'lucide-react/icons/trophy';
import Truck from 'lucide-react/icons/truck';
import User from 'lucide-react/icons/user';
import Users from 'lucide-react/icons/users';
import Utensils from 'lucide-react/icons/utensils';
import Video from 'lucide-react/icons/video';
import Wallet from 'lucide-react/icons/wallet';
import Waves from 'lucide-react/icons/waves';
import Wrench from 'lucide-react/icons/wrench';
import Zap from 'lucide-react/icons/zap';
import type { ComponentType } from 'react';

export type PageIconEntry = {
  /** The name that is stored with the page. */
  readonly name: string;
  /** More words that find it, separated by blanks. */
  readonly words: string;
  readonly Icon: ComponentType<{ readonly className?: string }>;
};

const entry = (name: string, Icon: PageIconEntry['Icon'], words: string): PageIconEntry => ({ name, Icon, words });

export const PAGE_ICONS: readonly PageIconEntry[] = [
  entry('file-text', FileText, 'page document text'),
  entry('book-open', BookOpen, 'read guide manual'),
  entry('book', Book, 'handbook'),
  entry('notebook-pen', NotebookPen, 'minutes notes journal'),
  entry('bookmark', Bookmark, 'keep saved'),
  entry('archive', Archive, 'box old store'),
  entry('clipboard-list', ClipboardList, 'form survey tasks'),
  entry('list-checks', ListChecks, 'tasks to do check'),
  entry('kanban', Kanban, 'board tasks project'),
  entry('table', Table, 'grid data sheet'),
  entry('layout-template', LayoutTemplate, 'template layout'),
  entry('calendar-days', CalendarDays, 'date week schedule'),
  entry('clock', Clock, 'time hours'),
  entry('timer', Timer, 'stopwatch race'),
  entry('flag', Flag, 'goal milestone plan'),
  entry('target', Target, 'goal aim objective'),
  entry('rocket', Rocket, 'launch start ship'),
  entry('map', MapIcon, 'route plan roadmap'),
  entry('map-pin', MapPin, 'place location address'),
  entry('signpost', Signpost, 'direction guide way'),
  entry('compass', Compass, 'direction strategy'),
  entry('lightbulb', Lightbulb, 'idea thought'),
  entry('sparkles', Sparkles, 'new magic'),
  entry('star', Star, 'best favourite'),
  entry('trophy', Trophy, 'win prize award'),
  entry('users', Users, 'team people group'),
  entry('user', User, 'person profile'),
  entry('handshake', Handshake, 'partner sponsor deal'),
  entry('hand-heart', HandHeart, 'volunteer charity help'),
  entry('message-circle', MessageCircle, 'talk chat'),
  entry('messages-square', MessagesSquare, 'discussion forum'),
  entry('megaphone', Megaphone, 'announcement marketing'),
  entry('mail', Mail, 'letter email post'),
  entry('phone', Phone, 'call telephone'),
  entry('mic', Mic, 'speech podcast interview'),
  entry('video', Video, 'film meeting call'),
  entry('camera', Camera, 'photo picture'),
  entry('image', Image, 'picture photo'),
  entry('music', Music, 'song sound'),
  entry('palette', Palette, 'design colour art'),
  entry('party-popper', PartyPopper, 'party celebration event'),
  entry('gift', Gift, 'present birthday'),
  entry('house', House, 'home club'),
  entry('building-2', Building2, 'office company city'),
  entry('store', Store, 'shop market'),
  entry('factory', Factory, 'industry production'),
  entry('landmark', Landmark, 'bank museum government'),
  entry('school', School, 'class education'),
  entry('graduation-cap', GraduationCap, 'study course learning'),
  entry('briefcase', Briefcase, 'work business job'),
  entry('scale', Scale, 'law legal decision balance'),
  entry('key', Key, 'access password boiler'),
  entry('lock', Lock, 'secret private security'),
  entry('shield', Shield, 'security safety protection'),
  entry('receipt', Receipt, 'bill invoice expense'),
  entry('wallet', Wallet, 'money budget'),
  entry('piggy-bank', PiggyBank, 'savings money budget'),
  entry('shopping-cart', ShoppingCart, 'buy order purchase'),
  entry('chart-line', ChartLine, 'growth report numbers'),
  entry('ruler', Ruler, 'measure survey size'),
  entry('laptop', Laptop, 'computer device'),
  entry('server', Server, 'backend hosting computer'),
  entry('database', Database, 'data storage'),
  entry('code', Code, 'program software development'),
  entry('terminal', Terminal, 'console command'),
  entry('git-branch', GitBranch, 'version code'),
  entry('bug', Bug, 'error defect issue'),
  entry('puzzle', Puzzle, 'part plugin extension'),
  entry('wrench', Wrench, 'tool repair'),
  entry('hammer', Hammer, 'build tool'),
  entry('zap', Zap, 'energy fast power'),
  entry('flask-conical', FlaskConical, 'experiment science lab'),
  entry('microscope', Microscope, 'research science lab'),
  entry('brain', Brain, 'mind thinking ai'),
  entry('stethoscope', Stethoscope, 'doctor health medicine'),
  entry('waves', Waves, 'water sea swim harbour'),
  entry('ship', Ship, 'boat vessel sea crew'),
  entry('anchor', Anchor, 'harbour port sea'),
  entry('life-buoy', LifeBuoy, 'help rescue safety support'),
  entry('fish', Fish, 'sea food animal'),
  entry('thermometer', Thermometer, 'temperature cold health'),
  entry('sun', Sun, 'weather summer day'),
  entry('cloud', Cloud, 'weather sky'),
  entry('flame', Flame, 'fire hot'),
  entry('leaf', Leaf, 'nature green environment'),
  entry('sprout', Sprout, 'plant garden grow'),
  entry('tree-pine', TreePine, 'forest nature'),
  entry('mountain', Mountain, 'hike nature'),
  entry('dog', Dog, 'pet animal'),
  entry('bike', Bike, 'cycle sport'),
  entry('car', Car, 'drive travel'),
  entry('truck', Truck, 'delivery transport'),
  entry('train-front', TrainFront, 'rail travel'),
  entry('plane', Plane, 'flight travel trip'),
  entry('tent', Tent, 'camp outdoor'),
  entry('globe', Globe, 'world international web'),
  entry('radio', Radio, 'signal broadcast channel'),
  entry('utensils', Utensils, 'food restaurant meal'),
  entry('coffee', Coffee, 'break drink'),
  entry('dumbbell', Dumbbell, 'sport gym fitness'),
];

export const pageIconsByName: ReadonlyMap<string, PageIconEntry> = new Map(PAGE_ICONS.map((one) => [one.name, one]));
