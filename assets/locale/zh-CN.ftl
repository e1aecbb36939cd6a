# 窗口中的文字，简体中文。名称和所填的值与 en.ftl 相同。用语一物一名，见 zh-CN.glossary.toml，有测试检查。
# 语法：https://projectfluent.org/fluent/guide/

## 按键，F1

keys-look = 观看
keys-move = 移动
keys-animals = 动物
keys-pictures = 拍照与录像
keys-scene = 改变场景
keys-measure = 测量
keys-window = 窗口
key-mouse = 鼠标
key-wheel = 滚轮
key-space = 空格
key-right-click = 右键单击
help-look = 环顾四周：按住左键拖动，或单击以锁定指针
help-swim = 游动
help-up-down = 上浮、下潜
help-faster = 加速
help-wheel = 游动速度，或相机的远近
help-camera = 切换相机：自由游动、环绕、跟随、骑乘、导览
help-species = 前往下一个、上一个物种
help-photo = 拍照模式：暂停、焦距、曝光、倾斜、三分线
help-stereo = 立体画面：双眼或单眼
help-pause = 暂停、继续
help-single-step = 前进一步
help-reset = 回到开头
help-scenes = 切换场景
help-fish = 增减鱼的数量
help-torch = 开关潜水手电
help-frighten = 惊吓那里的鱼
help-food = 投放食物
help-predator = 放出一只捕食者
help-mind = 画面中央那只动物的心思
help-settings = 设置：场景文件里的一切，可修改、可保存
help-statistics = 帧时间统计
help-benchmark = 对当前画面做基准测试
help-reload = 重新读取场景和着色器
help-film = 开始录像，或结束录像
help-picture = 截图
help-keys = 本列表
help-full-screen = 全屏
help-escape = 关闭面板、退出全屏、退出程序

## 提示消息

hint = F1  帮助
more-on-terminal = ……（全文见终端）
speed = { $speed } 米/秒
distance = 距离 { $distance } 米
camera-fly = 相机：自由游动
camera-orbit = 相机：环绕
camera-follow = 相机：跟随
camera-ride = 相机：骑乘
camera-tour = 相机：导览
species = { $name }：这里有 { $count } 只，这一只长 { $length } 米
no-animals = 这里没有动物
photo-lens = 焦距
photo-exposure = 曝光
photo-opening = 光圈
photo-all-sharp = 全部清晰
photo-focus = 对焦
photo-middle = 画面中央
photo-tilt = 倾斜
photo-size = 尺寸 { $times } 倍
photo-keys = 滚轮 焦距   + - 曝光   V 光圈   J K 倾斜   T 三分线   G 尺寸   H 隐藏文字   F12 拍照   O 返回
stereo-off = 立体画面已关闭
stereo-side-by-side = 立体画面：左右并排
stereo-top-bottom = 立体画面：上下排列，左眼在上
stereo-anaglyph = 立体画面：红青眼镜
paused = 已暂停，按空格继续
resumed = 继续
from-beginning = 已回到开头
scene-written = 场景已保存到 { $path }
headset-found = 头显已连接：{ $headset }
headset-over = 头显会话已结束，窗口继续运行
scene-read-again = 已重新读取场景
shaders-read-again = 已重新读取着色器
torch-on = 手电已打开
torch-off = 手电已关闭
fish-coming = 正在增加到 { $count } 条鱼：约占 { $mib } MiB 内存，约 { $fps } 帧/秒
fish-count = { $count } 条鱼（约占 { $mib } MiB 内存）
food-dropped = 已投放食物
predator-released = 又一只 { $name } 从右侧游来
no-predator = 本场景没有可放出的捕食者
written = { $what ->
    [benchmark] 基准测试
    [film] 录像
   *[picture] 截图
}已保存到 { $path }
film-goes-on = 正在录像，已录 { $seconds } 秒；按 F9 结束
    保存到 { $path }
film-uncompressed = 未压缩：没有可生成 .mp4 的 ffmpeg
film-too-small = 画面的宽和高至少有两个像素才能录像；请放大窗口
film-not-here = 网页中不能录像；请用桌面程序录像
benchmark-begins = { $left } 秒后开始基准测试：{ $frames } 帧，约 { $takes } 秒（最多 { $longest } 秒）；按 B 停止
    结果保存到 { $path }
benchmark-called-off = 已取消基准测试
benchmark-done = 基准测试：{ $seconds } 秒内 { $frames } 帧，中位数 { $median } 毫秒
benchmark-stopped = 基准测试已停止，共 { $frames } 帧，中位数 { $median } 毫秒
ladder-done = 基准测试：已测完 { $rungs } 种鱼数
benchmark-written-again = 正在再次保存基准测试结果
quality-level = 画质 { $quality }，分辨率 { $percent }%
quality-too-slow = { $level }：每帧 { $load } 毫秒，目标 { $target } 毫秒
quality-headroom = { $level }：尚有余量，每帧 { $load } 毫秒，目标 { $target } 毫秒
quality-not-held = 恢复为{ $level }：提高后每帧 { $load } 毫秒，目标 { $target } 毫秒
quality-cpu-bound = 恢复为{ $level }：降低后每帧仍需 { $load } 毫秒，目标 { $target } 毫秒，可见慢的不是绘制（减少鱼会有帮助）

## 帧时间，F3

frame-rate = { $fps } 帧/秒 { $ms } 毫秒/帧
frame-counts = { $draws } 次绘制 { $triangles } 千个三角形 { $visible } 个可见
frame-spread = { $median } 毫秒帧时间，99 % 低于 { $p99 }
frame-world = { $ms } 毫秒世界，其中 { $beside } 与绘制同时
frame-submit = { $ms } 毫秒提交
frame-sight = 能见度 { $visibility } 米 透明度 { $secchi } 米
frame-slow-motion = { $percent } % 实时速度：鱼游得比实际慢
frame-gpu = { $ms } 毫秒 GPU 时间
frame-no-gpu = { $ms } 毫秒 GPU 时间：由 CPU 绘制
frame-memory = { $mib } MiB 显存
frame-held = { $level }，目标 { $target } 毫秒
limit-world = 帧率受限于世界
limit-submit = 帧率受限于提交
limit-gpu = 帧率受限于 GPU
limit-driver = 帧率受限于驱动
limit-screen = 帧率受限于屏幕
limit-software = 帧率受限于 CPU 绘制
part-world = 世界
part-submit = 提交
part-text = 文字
part-wait = 等待
part-gpu = GPU

## 动物的心思，M

no-animal = 画面中央没有动物
mind = { $species }：{ $doing }
drive-fear = 恐惧
drive-hunger = 饥饿
drive-fatigue = 疲倦
drive-loneliness = 孤单
mind-speed = { $lengths } 体长/秒 { $speed } 米/秒
doing-school = 集群
doing-wander = 游荡
doing-cruise = 巡游
doing-drift = 漂流
doing-rest = 休息
doing-flee = 逃跑
doing-eat = 进食
doing-mill = 盘旋
doing-hold-station = 顶流定位
doing-graze = 啃食
doing-pick-plankton = 捕食浮游生物
doing-hide = 躲藏
doing-clean = 清洁
doing-visit-cleaner = 求助清洁鱼
doing-keep-to-host = 依附宿主
doing-ambush = 伏击
doing-pursue = 追捕
doing-herd = 围捕
doing-breathe = 换气
doing-guard = 护领地

## 正在制作场景时的幕布

making-light = 计算水中的光
making-models = 模型：{ $done } / { $all }
making-ground = 海底和其上的物体
making-animals = 放入动物

## 设置面板，Tab

working = 处理中……
no-changes = 与文件一致
changes = { $count } 处改动
undo = 撤销
redo = 重做
add = 添加
remove = 移除
revert = 还原
revert-help = 全部恢复为文件中的值
save = 保存
save-help = 保存到 { $file }，保留注释；Ctrl S
save-new-help = 保存到新文件；Ctrl S
save-as-new = 另存为
save-as-new-help = 存成单独的文件，只写不同之处
copy = 复制
copy-help = 复制为命令行的 --set 参数
search = 搜索（Ctrl F）
vsync = 垂直同步
group-picture = 画面
default-value = 默认 { $value }。
file-value = 文件中为 { $value }。
drawn-value = 当前实际为 { $drawn }，以保持每帧 { $target } 毫秒。
water-line = { $type }：{ $what }，能见度约 { $metres } 米
water-is-I = 最清澈的大洋水
water-is-IA = 清澈的大洋水
water-is-IB = 较清澈的大洋水
water-is-II = 略有浮游生物的大洋水
water-is-III = 浮游生物丰富的大洋水
water-is-1C = 清澈的沿岸水
water-is-3C = 偏绿的沿岸水
water-is-5C = 浑浊的沿岸水
water-is-7C = 十分浑浊的沿岸水
water-is-9C = 最浑浊的沿岸水
water-is-own = 自定的水体
nothing-found = 没有与“{ $search }”相符的设置。

## 未保存的更改

unsaved = 有未保存的更改：
discard = 放弃更改
stay = 留下
left-changes = 上次窗口意外结束时，{ $scene } 有 { $count } 处更改未保存。
restore = 恢复
throw-away = 丢弃
later = 以后再说

## 模型查看器，pelagic model view

view-animation = 动画
view-play = 播放
view-pause = 暂停
view-speed = 速度
view-still = 没有会动的部分
view-shapes = 其他形状
view-surface = 表面
view-materials = 纹理
view-clay = 素模
view-weights = 权重
view-every-joint = 所有关节
view-show = 显示
view-wireframe = 线框
view-normals = 法线
view-skeleton = 骨架
view-grid = 网格，{ $metres } 米
view-turn = 转台
view-detail = 细节层次
view-triangles = { $count } 个三角形
view-joints = { $joints } 个关节，{ $clips } 个动画片段
view-size = { $width } x { $height } x { $length } 米
view-backdrop = 背景
view-grey = 灰
view-dark = 暗
view-light = 亮
view-sea = 海
view-warnings = 可疑之处
view-broken = 现在无法读取；显示的是之前的样子
view-read-again = 已重新读取 { $name }
view-turned = 头朝 { $forward }：在场景中写 forward = "{ $forward }"
view-keys = 空格 播放，, 和 . 逐帧，R 复位，T 转台，F 换头的朝向，W 线框，N 法线，S 骨架，G 网格，C 素模，J 权重，Tab 本面板，F11 全屏，F12 截图，Esc 退出
